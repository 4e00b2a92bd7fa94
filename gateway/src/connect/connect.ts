import { randomBytes } from 'node:crypto';
import { PlatformName } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { Fault, faultOf, faults } from '@perch/proto/faults';
import { withCall } from '@perch/proto/nats';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { answerPage, escapeHtml } from './page.ts';

/** The platform is asked meanwhile, more than once. */
const callTimeoutMs = 25_000;
const bindingSeconds = 15 * 60;

/**
 * The way of a browser from a connection's link to the platform's consent page and back. The link may come from
 * anyone, so its page names the Perch user before it goes on; what comes back must come to the same browser.
 */
export function connectPages(deps: {
  clients: Pick<Clients, 'connections'>;
  /** Throws where an address asks too often. */
  admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}): FastifyPluginAsync {
  const { connections } = deps.clients;
  return async (scope) => {
    scope.addHook('onRequest', deps.admitAddress);
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, _body, done) => done(null, {}),
    );
    scope.setErrorHandler((error, _, reply) => answerFailure(reply, error));
    scope.get<{ Params: { ticket: string } }>('/connect/:ticket', async (request, reply) => {
      const { ticket } = request.params;
      const state = await asked(request, () => connections.get.query({ ticket }));
      if (state.status !== 'new') throw used();
      return answerPage(reply, {
        status: 200,
        title: `Connect your ${titles[state.platform]} account`,
        body:
          `<p>Posts of the Perch user <b>${escapeHtml(state.user_email)}</b> will go out through it. ` +
          `Go on only if that is you.</p><form method="post"><button>Continue to ${titles[state.platform]}</button></form>`,
      });
    });
    scope.post<{ Params: { ticket: string } }>('/connect/:ticket', async (request, reply) => {
      if (!isOwnPage(request)) throw used();
      const { ticket } = request.params;
      const binding = bindingOf(request) ?? randomBytes(32).toString('base64url');
      const begun = await asked(request, () => connections.begin.mutate({ ticket, binding }));
      const secure = request.protocol === 'https' ? '; Secure' : '';
      return reply
        .header(
          'set-cookie',
          `${cookie}=${binding}; Path=/connect; Max-Age=${bindingSeconds}; HttpOnly; SameSite=Lax${secure}`,
        )
        .redirect(begun.authorize_url, 303);
    });
    scope.get<{ Params: { platform: string; name: string } }>(
      '/connect/:platform/:name',
      async (request, reply) => {
        const { name } = request.params;
        const platform = PlatformName.safeParse(request.params.platform).data;
        if (!platform) throw new Fault('not_found');
        if (name !== 'callback')
          return asked(request, () => connections.document.query({ platform, name }));
        const binding = bindingOf(request);
        const params = textParams(request.query);
        const account = await asked(request, () =>
          connections.finish.mutate({ platform, binding, params }),
        );
        return answerPage(reply, {
          status: 200,
          title: `@${account.handle} is connected`,
          body: '<p>You may close this page.</p>',
        });
      },
    );
  };
}

const cookie = 'perch_connect';
const titles: Record<PlatformName, string> = {
  sandbox: 'sandbox',
  x: 'X',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
};

function asked<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return withCall({ requestId: request.id, timeoutMs: callTimeoutMs }, work);
}

/** Whether the form was sent from our own page: browsers say so, and no other page can. */
function isOwnPage(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === `${request.protocol}://${request.headers.host}`;
}

function bindingOf(request: FastifyRequest): string | null {
  return (
    new RegExp(`(?:^|; ?)${cookie}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1] ??
    null
  );
}

function textParams(query: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function used(): Fault {
  const detail = 'This link was used or has expired. Begin again.';
  return new Fault('connection_failed', { detail });
}

function answerFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const fault = faultOf(error);
  if (!fault || fault.code === 'internal_error') throw error;
  const gone = fault.code === 'not_found';
  return answerPage(reply, {
    status: faults[fault.code].status,
    title: gone ? 'There is no such link' : 'The account was not connected',
    body: `<p>${escapeHtml(gone ? 'Begin again.' : sentence(fault.message))}</p>`,
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');
}
