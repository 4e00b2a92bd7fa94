import { z } from 'zod';

const Ref = z.object({ uri: z.string(), cid: z.string() });
const Record = z.object({
  uri: z.string(),
  cid: z.string(),
  value: z.looseObject({
    text: z.string().optional(),
    reply: z.object({ root: Ref, parent: Ref }).optional(),
    subject: Ref.optional(),
    facets: z.array(z.looseObject({})).optional(),
    embed: z
      .looseObject({ images: z.array(z.looseObject({})).optional(), video: z.unknown().optional() })
      .optional(),
  }),
});
type Record = z.infer<typeof Record>;

/** Someone with an account at a real server, who uses it as an app would. */
export interface BlueskyPerson {
  did: string;
  handle: string;
  /** The main password, which the consent page asks for. */
  password: string;
  /** A new app password. */
  appPassword(): Promise<string>;
  /** Answers a post; gives the answer's id. */
  reply(to: { uri: string; root: string }, text: string): Promise<string>;
  /** Whether the account calls itself automated. */
  callItselfBot(): Promise<void>;
  /** What the account's repository holds, oldest first. */
  records(collection: string): Promise<Record[]>;
  /** One call with the account's own session. */
  call(nsid: string, body: unknown): Promise<unknown>;
}

let made = 0;

/** Makes an account at that server. */
export async function createPerson(server: string): Promise<BlueskyPerson> {
  const name = `p${process.pid}-${++made}`;
  const password = crypto.randomUUID();
  const account = { handle: `${name}.test`, email: `${name}@perch.example`, password };
  const { did, handle, accessJwt } = z
    .object({ did: z.string(), handle: z.string(), accessJwt: z.string() })
    .parse(await xrpc(server, 'com.atproto.server.createAccount', { body: account }));
  const call = (nsid: string, body: unknown) => xrpc(server, nsid, { body, token: accessJwt });
  const refOf = async (uri: string) => {
    const [, , repo = '', collection = '', rkey = ''] = uri.split('/');
    const query = `?${new URLSearchParams({ repo, collection, rkey })}`;
    const { cid } = Ref.parse(await xrpc(server, `com.atproto.repo.getRecord${query}`, {}));
    return { uri, cid };
  };
  return {
    did,
    handle,
    password,
    call,
    appPassword: async () => {
      const made = await call('com.atproto.server.createAppPassword', {
        name: crypto.randomUUID(),
      });
      return z.object({ password: z.string() }).parse(made).password;
    },
    reply: async ({ uri, root }, text) => {
      const reply = { root: await refOf(root), parent: await refOf(uri) };
      const record = { text, reply, createdAt: new Date().toISOString() };
      const post = { repo: did, collection: 'app.bsky.feed.post', record };
      return Ref.parse(await call('com.atproto.repo.createRecord', post)).uri;
    },
    callItselfBot: async () => {
      const values = [{ val: 'bot' }];
      const labels = { $type: 'com.atproto.label.defs#selfLabels', values };
      const profile = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' };
      await call('com.atproto.repo.putRecord', { ...profile, record: { labels } });
    },
    records: async (collection) => {
      const all: Record[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const query = new URLSearchParams({ repo: did, collection, limit: '100', cursor });
        const page = z
          .object({ records: z.array(Record), cursor: z.string().optional() })
          .parse(await xrpc(server, `com.atproto.repo.listRecords?${query}`, {}));
        all.push(...page.records);
        cursor = page.cursor;
      }
      return all.toSorted((one, two) =>
        String(one.value['createdAt']) < String(two.value['createdAt']) ? -1 : 1,
      );
    },
  };
}

async function xrpc(
  server: string,
  nsid: string,
  { body, token }: { body?: unknown; token?: string },
): Promise<unknown> {
  const answer = await fetch(`${server}/xrpc/${nsid}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${nsid}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
