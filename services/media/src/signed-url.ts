import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed URL allows: to put, or to get, the bytes of one media. */
export type Right = 'put' | 'get';

/** A URL by which whoever holds it may put or get the bytes of one media until it expires. */
export function signUrl(
  base: string,
  secret: string,
  grant: { right: Right; mediaId: string; expiresMs: number },
): string {
  const url = new URL(`/${grant.right === 'put' ? 'uploads' : 'blobs'}/${grant.mediaId}`, base);
  url.searchParams.set('expires', String(grant.expiresMs));
  url.searchParams.set('signature', signature(secret, grant));
  return url.href;
}

/** Whether a URL was signed by us for that right and has not expired. */
export function isSigned(
  url: URL,
  secret: string,
  asked: { right: Right; mediaId: string; nowMs: number },
): boolean {
  const expiresMs = Number(url.searchParams.get('expires'));
  const given = Buffer.from(url.searchParams.get('signature') ?? '', 'hex');
  const expected = Buffer.from(signature(secret, { ...asked, expiresMs }), 'hex');
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && asked.nowMs < expiresMs
  );
}

function signature(
  secret: string,
  grant: { right: Right; mediaId: string; expiresMs: number },
): string {
  return createHmac('sha256', secret)
    .update(`${grant.right}|${grant.mediaId}|${grant.expiresMs}`)
    .digest('hex');
}
