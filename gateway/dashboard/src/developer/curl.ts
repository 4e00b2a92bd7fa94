/** The command that lists accounts; the key comes from `PERCH_KEY` unless it is known. */
export function accountsCurl(apiUrl: string, secret = '$PERCH_KEY'): string {
  return `curl ${apiUrl}/accounts \\\n  -H "Authorization: Bearer ${secret}"`;
}

/** The command that publishes a first post at once. */
export function postCurl(apiUrl: string, accountId: string, secret = '$PERCH_KEY'): string {
  const body = JSON.stringify({
    account_id: accountId,
    tweets: [{ text: 'Hello from Perch' }],
    publish_now: true,
  });
  return [
    `curl ${apiUrl}/posts`,
    `-H "Authorization: Bearer ${secret}"`,
    '-H "Content-Type: application/json"',
    `-d '${body}'`,
  ].join(' \\\n  ');
}
