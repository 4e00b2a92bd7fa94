/** The address of a server that a person named by its host; plain HTTP only on this machine. */
export function serverUrl(host: string): string {
  const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host);
  return `${local ? 'http' : 'https'}://${host}/`;
}
