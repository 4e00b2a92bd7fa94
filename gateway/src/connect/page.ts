import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 12vh auto; max-width: 26rem; padding: 0 1.25rem }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem }
button { font: inherit; font-weight: 600; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; color: #fff; background: #1f5fd6; cursor: pointer }
button:focus-visible { outline: 3px solid #8db4ff; outline-offset: 2px }
p { margin: 0 0 1.25rem }`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  // Not form-action: browsers hold the redirect to the platform against it.
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of one heading and a few words; `body` is HTML, its variable parts through {@link escapeHtml}. */
export function answerPage(
  reply: FastifyReply,
  page: { status: number; title: string; body: string },
): FastifyReply {
  const title = escapeHtml(page.title);
  return reply
    .code(page.status)
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title} · Perch</title><style>${style}</style><main><h1>${title}</h1>${page.body}</main></html>`,
    );
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (char) => names[char] ?? char);
}
