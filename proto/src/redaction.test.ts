import { expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { createLogger } from './process.ts';

/** What the log holds after an entry. */
function logged(entry: object, message = 'told'): string {
  const lines: string[] = [];
  createLogger('test', 'trace', { write: (line) => void lines.push(line) }).info(entry, message);
  return lines.join('');
}

const key = 'perch_live_Zq8nVw3bTq5uYx1cSecretSecret';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0LXNpZ25hdHVyZQ';

test('no secret reaches the log, however deep it is and whatever holds it', () => {
  const circle: Record<string, unknown> = { password: 'pw-secret' };
  circle['self'] = circle;
  const failed = Object.assign(new Error(`refused ${key}`), {
    config: { headers: { Authorization: 'Bearer deep-secret-1' } },
  });
  const text = logged(
    {
      authorization: 'Bearer top-secret-2',
      request: {
        headers: { Cookie: 'session=cookie-secret', 'set-cookie': ['a=cookie-secret'] },
        body: { user: { credentials: { access_token: 'oauth-secret', refreshToken: 'r-secret' } } },
      },
      fetched: new Headers({ authorization: 'Bearer header-secret', accept: 'text/html' }),
      map: new Map([['client_secret', 'map-secret']]),
      list: [[[{ apiKey: 'list-secret' }]]],
      bytes: Buffer.from('buffer-secret'),
      account: { token: { nested: 'object-secret' } },
      circle,
      err: new Error('outer', { cause: failed }),
      url: 'postgres://perch:url-secret@db:5432/posts',
      nats: 'nats://nats-secret@localhost:4222',
      said: `the caller sent ${key} and ${jwt}`,
    },
    `got Authorization: Bearer message-secret-3 and ${key}`,
  );
  expect(text).not.toMatch(/-secret|SecretSecret/);
  expect(text).not.toContain('Zq8nVw3bTq5uYx1c');
  expect(text).not.toContain(jwt.slice(0, 12));
  expect(text).toContain('text/html');
  expect(text).toContain('refused perch_live_');
});

test('what is no secret is told as it is', () => {
  const entry = { keyId: 'key_1', postId: 'post_1', status: 201, at: new Date(0), nothing: null };
  expect(JSON.parse(logged(entry))).toMatchObject({
    msg: 'told',
    keyId: 'key_1',
    postId: 'post_1',
    status: 201,
    at: '1970-01-01T00:00:00.000Z',
    nothing: null,
  });
});

test('an error is told with its code, its causes and where it came from', () => {
  const err = new Fault('not_found', { post_id: 'post_1' }, { cause: new Error('below') });
  const { err: told } = JSON.parse(logged({ err }));
  expect(told).toMatchObject({ type: 'Fault', code: 'not_found', details: { post_id: 'post_1' } });
  expect(told.stack).toContain('below');
});
