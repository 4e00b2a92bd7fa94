import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { newToken, sha256, type World, type XAccount, type XGrant } from './world.ts';

const Authorize = z.object({
  response_type: z.literal('code'),
  client_id: z.string(),
  redirect_uri: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/connect\/x\/callback$|^https:\/\//),
  scope: z.string(),
  state: z.string().min(16),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  /** The button of the page that was clicked. */
  choice: z.enum(['allow', 'cancel']).optional(),
});

const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    redirect_uri: z.string(),
    code_verifier: z.string().min(43),
    client_id: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string(),
    client_id: z.string().optional(),
  }),
]);

/** OAuth 2 with PKCE: the consent page, tokens that rotate, and their end. */
export function serveOAuth(app: FastifyInstance, world: World): void {
  app.get('/i/oauth2/authorize', async (request, reply) => {
    const asked = Authorize.parse(request.query);
    const { options } = world;
    const account = signedIn(world, request);
    if (!account || asked.client_id !== options.client.id)
      return reply.code(400).type('text/html').send('<p>Something went wrong</p>');
    if (options.clickToConsent && !asked.choice)
      return reply.type('text/html').send(consentPage(request.url, account));
    const back = new URL(asked.redirect_uri);
    back.searchParams.set('state', asked.state);
    if (asked.choice === 'cancel') back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', newCode(world, account, asked));
    return reply.redirect(back.href, 302);
  });

  app.post('/2/oauth2/token', async (request, reply) => {
    const form = TokenRequest.safeParse(request.body);
    if (!form.success)
      return reply.code(400).send(oauthError('invalid_request', 'Bad parameters.'));
    if (!isClient(world, request, form.data.client_id)) {
      const message = 'Missing valid authorization header';
      return reply.code(401).send(oauthError('unauthorized_client', message));
    }
    const grant =
      form.data.grant_type === 'refresh_token'
        ? useRefreshToken(world, form.data.refresh_token)
        : useCode(world, form.data);
    if (grant) return newTokens(world, grant);
    const what = form.data.grant_type === 'refresh_token' ? 'token' : 'authorization code';
    const message = `Value passed for the ${what} was invalid.`;
    return reply.code(400).send(oauthError('invalid_request', message));
  });

  app.post('/2/oauth2/revoke', async (request, reply) => {
    const { token, client_id } = z
      .object({ token: z.string(), client_id: z.string().optional() })
      .parse(request.body);
    if (!isClient(world, request, client_id))
      return reply
        .code(401)
        .send(oauthError('unauthorized_client', 'Missing valid authorization header'));
    const grant = (world.refresh.get(token) ?? world.access.get(token))?.grant;
    if (grant) grant.revoked = true;
    return { revoked: true };
  });
}

/** Who is signed in, by the cookie that a browser would have. */
function signedIn(world: World, request: FastifyRequest): XAccount | undefined {
  const id = /(?:^|; )account=(\d+)/.exec(request.headers.cookie ?? '')?.[1];
  return world.accounts.get(id ?? '');
}

function consentPage(url: string, account: XAccount): string {
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><title>Authorize app</title><p>@${account.username}</p>
<a href="${escaped}&amp;choice=allow">Authorize app</a> <a href="${escaped}&amp;choice=cancel">Cancel</a>`;
}

function newCode(world: World, account: XAccount, asked: z.infer<typeof Authorize>): string {
  const code = newToken();
  const { allowedScopes, clock, codeLifeMs } = world.options;
  const scopes = asked.scope.split(' ').filter((one) => allowedScopes?.includes(one) ?? true);
  world.codes.set(code, {
    grant: { account, scopes, revoked: false },
    challenge: asked.code_challenge,
    redirectUri: asked.redirect_uri,
    expiresMs: clock() + codeLifeMs,
  });
  return code;
}

/** A confidential client signs in by its header, a public one says its name. */
function isClient(world: World, request: FastifyRequest, named: string | undefined): boolean {
  const { id, secret } = world.options.client;
  if (secret === null) return named === id && request.headers.authorization === undefined;
  const basic = Buffer.from(`${id}:${secret}`).toString('base64');
  return request.headers.authorization === `Basic ${basic}`;
}

function useCode(
  world: World,
  form: { code: string; redirect_uri: string; code_verifier: string },
): XGrant | null {
  const code = world.codes.get(form.code);
  world.codes.delete(form.code);
  if (!code || code.expiresMs < world.options.clock()) return null;
  if (code.redirectUri !== form.redirect_uri) return null;
  return code.challenge === sha256(form.code_verifier, 'base64url') ? code.grant : null;
}

/** Works once. */
function useRefreshToken(world: World, token: string): XGrant | null {
  const known = world.refresh.get(token);
  if (!known || known.used || known.grant.revoked) return null;
  known.used = true;
  return known.grant;
}

function newTokens(world: World, grant: XGrant): Record<string, unknown> {
  const { clock, accessLifeMs } = world.options;
  const access = newToken();
  const refresh = newToken();
  world.access.set(access, { grant, expiresMs: clock() + accessLifeMs });
  const lasting = grant.scopes.includes('offline.access');
  if (lasting) world.refresh.set(refresh, { grant, used: false });
  return {
    token_type: 'bearer',
    expires_in: accessLifeMs / 1_000,
    access_token: access,
    scope: grant.scopes.join(' '),
    ...(lasting && { refresh_token: refresh }),
  };
}

function oauthError(error: string, error_description: string): Record<string, string> {
  return { error, error_description };
}
