import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie of the dashboard: no script reads it, and it goes to this host alone. */
interface Cookie {
  name: string;
  maxAgeSeconds: number;
}

/** Holds the token of the session. The server knows when it expires; the browser keeps it for the longest time. */
export const sessionCookie: Cookie = { name: 'perch_session', maxAgeSeconds: 30 * 86_400 };
/** Tells that this browser began a sign-up, for as long as its link works. */
export const signUpCookie: Cookie = { name: 'perch_sign_up', maxAgeSeconds: 86_400 };

/** What the cookie holds; null without it. */
export function cookieOf(
  request: FastifyRequest,
  publicUrl: string,
  cookie: Cookie,
): string | null {
  return request.cookies[nameFor(publicUrl, cookie)] || null;
}

/** Puts the value into the cookie; null takes the cookie away. */
export function putCookie(
  reply: FastifyReply,
  publicUrl: string,
  cookie: Cookie,
  value: string | null,
): void {
  const secure = isHttps(publicUrl);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const name = nameFor(publicUrl, cookie);
  if (value === null) reply.clearCookie(name, attributes);
  else reply.setCookie(name, value, { ...attributes, maxAge: cookie.maxAgeSeconds });
}

/** `__Host-` binds the cookie to this very host; a browser takes that prefix over https only. */
function nameFor(publicUrl: string, { name }: Cookie): string {
  return isHttps(publicUrl) ? `__Host-${name}` : name;
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
