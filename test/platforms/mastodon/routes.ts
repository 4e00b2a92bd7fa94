import { createHash, randomUUID } from 'node:crypto';
import {
  addPerson,
  type Instance,
  type Media,
  nextId,
  type Person,
  type Post,
} from './instance.ts';

/** A request that the stand-in has read. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  /** JSON or form fields. */
  fields: Record<string, unknown>;
  file: File | null;
}

/** An answer of the stand-in. */
export interface Answered {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const notFound: Answered = { status: 404, body: { error: 'Record not found' } };
const wrong = (status: number, error: string): Answered => ({ status, body: { error } });
const ok = (body: unknown): Answered => ({ status: 200, body });

/** What the stand-in answers; it keeps to docs.joinmastodon.org, 4.5. */
export function answerTo(instance: Instance, asked: Asked): Answered {
  const { method, path } = asked;
  const id = path.split('/')[4] ?? '';
  const shape = `${method} ${path.replace(/\/(statuses|accounts|media)\/(?!verify)[^/]+/, '/$1/:id')}`;
  switch (shape) {
    case 'GET /api/v2/instance':
      return ok(aboutIt(instance, asked));
    case 'GET /.well-known/oauth-authorization-server':
      return instance.modern ? ok(metadata) : notFound;
    case 'POST /api/v1/apps':
      return register(instance, asked);
    case 'POST /oauth/authorize':
      return agree(instance, asked);
    case 'POST /oauth/token':
      return grant(instance, asked);
    case 'POST /oauth/revoke':
      instance.tokens.delete(String(asked.fields['token']));
      return ok({});
    case 'GET /api/v1/accounts/verify_credentials':
      return as(instance, asked, 'profile', (person) => ok(person));
    case 'POST /api/v2/media':
      return as(instance, asked, 'write:media', (person) => takeMedia(instance, asked, person));
    case 'GET /api/v1/media/:id':
      return as(instance, asked, 'write:media', (person) => giveMedia(instance, id, person));
    case 'POST /api/v1/statuses':
      return as(instance, asked, 'write:statuses', (person, app) =>
        takePost(instance, asked, { person, app }),
      );
    case 'GET /api/v1/statuses/:id':
    case 'DELETE /api/v1/statuses/:id':
    case 'GET /api/v1/statuses/:id/source':
    case 'POST /api/v1/statuses/:id/reblog':
      return as(instance, asked, method === 'GET' ? 'read:statuses' : 'write:statuses', (person) =>
        onePost(instance, shape, id, person),
      );
    case 'GET /api/v1/accounts/:id/statuses':
      return as(instance, asked, 'read:statuses', () => listPosts(instance, asked, id));
    case 'GET /api/v1/notifications':
      return as(instance, asked, 'read:notifications', (person) =>
        listMentions(instance, asked, person),
      );
    default:
      return notFound;
  }
}

const metadata = {
  issuer: 'https://stand-in.example/',
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['read', 'write', 'profile'],
};

function aboutIt(instance: Instance, asked: Asked) {
  return {
    domain: asked.headers.get('host'),
    version: '4.5.0',
    configuration: {
      statuses: {
        max_characters: instance.maxCharacters,
        max_media_attachments: 4,
        characters_reserved_per_url: 23,
      },
      media_attachments: { description_limit: 1_500, image_size_limit: 16_777_216 },
    },
  };
}

function register(instance: Instance, { fields }: Asked): Answered {
  const [client_id, client_secret] = [randomUUID(), randomUUID()];
  instance.apps.set(client_id, {
    secret: client_secret,
    redirectUri: String(fields['redirect_uris']),
    scopes: String(fields['scopes']).split(' '),
    name: String(fields['client_name']),
  });
  return ok({ client_id, client_secret });
}

/** What the consent page does when the person named in the form says yes. */
function agree(instance: Instance, { fields }: Asked): Answered {
  const text = (name: string) => String(fields[name] ?? '');
  const app = instance.apps.get(text('client_id'));
  if (!app || app.redirectUri !== text('redirect_uri')) return wrong(401, 'invalid_client');
  const scopes = text('scope').split(' ');
  if (!scopes.every((one) => app.scopes.includes(one))) return wrong(400, 'invalid_scope');
  const person = instance.people.get(text('username')) ?? addPerson(instance);
  const code = randomUUID();
  const challenge = text('code_challenge') || null;
  instance.codes.set(code, {
    clientId: text('client_id'),
    redirectUri: app.redirectUri,
    scopes: scopes.filter((one) => !instance.refusedScopes.includes(one)),
    challenge,
    person,
  });
  const back = new URL(app.redirectUri);
  back.search = new URLSearchParams({ code, state: text('state') }).toString();
  return { status: 302, headers: { location: back.href } };
}

function grant(instance: Instance, { fields }: Asked): Answered {
  const text = (name: string) => String(fields[name] ?? '');
  const app = instance.apps.get(text('client_id'));
  if (!app || app.secret !== text('client_secret')) return wrong(401, 'invalid_client');
  const token = randomUUID();
  if (text('grant_type') === 'client_credentials') {
    instance.tokens.set(token, { person: null, scopes: ['read'], app: app.name });
    return ok({ access_token: token, token_type: 'Bearer', scope: 'read' });
  }
  const code = instance.codes.get(text('code'));
  instance.codes.delete(text('code'));
  const hash = createHash('sha256').update(text('code_verifier')).digest('base64url');
  const proven = code && (code.challenge === null || code.challenge === hash);
  if (!proven || code.clientId !== text('client_id') || code.redirectUri !== text('redirect_uri'))
    return wrong(400, 'invalid_grant');
  const { person, scopes } = code;
  instance.tokens.set(token, { person, scopes, app: app.name });
  return ok({ access_token: token, token_type: 'Bearer', scope: scopes.join(' ') });
}

/** Does something as the owner of the token, if it reaches that far. */
function as(
  instance: Instance,
  asked: Asked,
  scope: string,
  act: (person: Person, app: string) => Answered,
): Answered {
  const token = instance.tokens.get(asked.headers.get('authorization')?.slice(7) ?? '');
  if (!token?.person) return wrong(401, 'The access token is invalid');
  const reaches = token.scopes.some(
    (one) => one === scope || (scope === 'profile' && one === 'read:accounts'),
  );
  return reaches
    ? act(token.person, token.app)
    : wrong(403, 'This action is outside the authorized scopes');
}

function takeMedia(instance: Instance, { file, fields }: Asked, by: Person): Answered {
  if (!file) return wrong(422, 'Validation failed: File can’t be blank');
  const description = typeof fields['description'] === 'string' ? fields['description'] : null;
  const id = nextId(instance.clock);
  const { type, size: bytes } = file;
  const media = { id, by, type, bytes, description, asksLeft: instance.asks };
  instance.media.set(id, media);
  return { status: media.asksLeft > 0 ? 202 : 200, body: attachmentOf(media) };
}

function giveMedia(instance: Instance, id: string, by: Person): Answered {
  const media = instance.media.get(id);
  const attached = instance.posts.some((post) => post.mediaIds.includes(id));
  if (!media || media.by !== by || attached) return notFound;
  media.asksLeft -= 1;
  return { status: media.asksLeft >= 0 ? 206 : 200, body: attachmentOf(media) };
}

function attachmentOf({ id, type, description, asksLeft }: Media) {
  const url = asksLeft > 0 ? null : `https://stand-in.example/media/${id}`;
  return { id, type: type.split('/')[0], url, description };
}

function takePost(
  instance: Instance,
  { fields, headers }: Asked,
  { person, app }: { person: Person; app: string },
): Answered {
  const { limit } = instance;
  const told = {
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': String(Math.max(0, limit.remaining - 1)),
    'x-ratelimit-reset': new Date(limit.resetMs).toISOString(),
  };
  if (limit.remaining <= 0)
    return { status: 429, body: { error: 'Too many requests' }, headers: told };
  const key = `${person.id} ${headers.get('idempotency-key')}`;
  const kept = instance.keys.get(key);
  const before = kept && kept.untilMs > instance.clock() ? kept.postId : null;
  const standing = instance.posts.find((post) => post.id === before);
  if (standing) return { ...ok(statusOf(instance, standing, person)), headers: told };
  const text = String(fields['status'] ?? '').trim();
  const mediaIds = Array.isArray(fields['media_ids']) ? fields['media_ids'].map(String) : [];
  const inReplyTo = typeof fields['in_reply_to_id'] === 'string' ? fields['in_reply_to_id'] : null;
  const refused = refusal(instance, { text, mediaIds, inReplyTo });
  if (refused) return refused;
  limit.remaining -= 1;
  const post: Post = {
    id: nextId(instance.clock),
    by: person,
    text,
    createdMs: instance.clock(),
    inReplyTo,
    mediaIds,
    application: app,
    editedMs: null,
    visibility: 'public',
  };
  instance.posts.push(post);
  if (headers.has('idempotency-key'))
    instance.keys.set(key, { postId: post.id, untilMs: instance.clock() + instance.keyKeptMs });
  return { ...ok(statusOf(instance, post, person)), headers: told };
}

function refusal(
  instance: Instance,
  { text, mediaIds, inReplyTo }: Pick<Post, 'text' | 'mediaIds' | 'inReplyTo'>,
): Answered | null {
  if (inReplyTo !== null && !instance.posts.some((post) => post.id === inReplyTo))
    return wrong(404, 'The post you are trying to reply to does not appear to exist.');
  if (text === '' && mediaIds.length === 0)
    return wrong(422, 'Validation failed: Text can’t be blank');
  if ([...text].length > instance.maxCharacters)
    return wrong(
      422,
      `Validation failed: Text character limit of ${instance.maxCharacters} exceeded`,
    );
  for (const id of mediaIds) {
    const media = instance.media.get(id);
    if (!media || instance.posts.some((post) => post.mediaIds.includes(id)))
      return wrong(422, `Media ${id} not found or already attached to another post`);
    if (media.asksLeft > 0)
      return wrong(422, 'Cannot attach files that have not finished processing');
  }
  return null;
}

function onePost(instance: Instance, shape: string, id: string, person: Person): Answered {
  const post = instance.posts.find((one) => one.id === id);
  if (!post) return notFound;
  if (shape.endsWith('/source')) return ok({ id, text: post.text, spoiler_text: '' });
  if (shape.startsWith('DELETE')) {
    if (post.by !== person) return notFound;
    instance.posts.splice(instance.posts.indexOf(post), 1);
  }
  if (!shape.endsWith('/reblog')) return ok(statusOf(instance, post, person));
  const before = instance.boosts.find((one) => one.of === id && one.by === person.id);
  const boost = before ?? { id: nextId(instance.clock), of: id, by: person.id };
  if (!before) instance.boosts.push(boost);
  const status = statusOf(instance, post, person);
  return ok({ ...status, id: boost.id, reblog: status });
}

/** Newest first, from the place that the query names. */
function pageOf<T extends { id: string }>(all: T[], { query }: Asked): T[] {
  const limit = Number(query.get('limit') ?? 20);
  const [maxId, minId] = [query.get('max_id'), query.get('min_id')];
  const fits = all.filter(
    ({ id }) =>
      (maxId === null || BigInt(id) < BigInt(maxId)) &&
      (minId === null || BigInt(id) > BigInt(minId)),
  );
  return (minId === null ? fits.slice(-limit) : fits.slice(0, limit)).toReversed();
}

function listPosts(instance: Instance, asked: Asked, accountId: string): Answered {
  const own = instance.posts.filter((post) => post.by.id === accountId);
  return ok(pageOf(own, asked).map((post) => statusOf(instance, post, post.by)));
}

function listMentions(instance: Instance, asked: Asked, person: Person): Answered {
  const own = instance.mentions.filter((mention) => mention.to === person.id);
  return ok(
    pageOf(own, asked).map(({ id, post }) => ({
      id,
      type: 'mention',
      account: { ...post.by, acct: post.by.username },
      status: statusOf(instance, post, person),
    })),
  );
}

function statusOf(instance: Instance, post: Post, viewer: Person) {
  const { id, by, text, createdMs, inReplyTo, mediaIds, application, editedMs, visibility } = post;
  return {
    id,
    url: `https://stand-in.example/@${by.username}/${id}`,
    created_at: new Date(createdMs).toISOString(),
    edited_at: editedMs === null ? null : new Date(editedMs).toISOString(),
    content: `<p>${text}</p>`,
    in_reply_to_id: inReplyTo,
    visibility,
    reblog: null,
    reblogged: instance.boosts.some((one) => one.of === id && one.by === viewer.id),
    media_attachments: mediaIds.flatMap((one) => instance.media.get(one) ?? []).map(attachmentOf),
    application: application === null ? null : { name: application },
  };
}
