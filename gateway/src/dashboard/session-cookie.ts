import type { FastifyReply, FastifyRequest } from 'fastify';

/** `__Host-` binds the cookie to this very host; a browser takes that prefix over https only. */
function nameFor(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-perch_session' : 'perch_session';
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

function attributes(publicUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(publicUrl) } as const;
}

/** The token of the session cookie; null without one. */
export function tokenOf(request: FastifyRequest, publicUrl: string): string | null {
  return request.cookies[nameFor(publicUrl)] || null;
}

/** Puts the token into the cookie. The server knows when it expires; the browser keeps it for the longest time. */
export function giveToken(reply: FastifyReply, publicUrl: string, token: string): void {
  const maxAge = 30 * 86_400;
  reply.setCookie(nameFor(publicUrl), token, { ...attributes(publicUrl), maxAge });
}

/** Takes the cookie away. */
export function clearToken(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(nameFor(publicUrl), attributes(publicUrl));
}
