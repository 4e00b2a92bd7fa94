import { z } from 'zod';
import type { ConnectorDeps, Session, Standing } from '../platform.ts';
import { type Answer, call } from './api.ts';

/** Where posts and reposts are kept in a repository. */
export const collections = {
  post: 'app.bsky.feed.post',
  reply: 'app.bsky.feed.post',
  repost: 'app.bsky.feed.repost',
} as const;

const StrongRef = z.object({ uri: z.string(), cid: z.string() });
/** A record at one version. */
export type StrongRef = z.infer<typeof StrongRef>;

const Found = z.object({
  uri: z.string(),
  cid: z.string(),
  value: z.object({
    createdAt: z.string().optional(),
    text: z.string().optional(),
    reply: z.object({ root: StrongRef, parent: StrongRef }).optional(),
    subject: StrongRef.optional().catch(undefined),
  }),
});
/** A record as a repository has it, as far as we look into it. */
export type Found = z.infer<typeof Found>;

/** The parts of `at://<did>/<collection>/<rkey>`; null for anything else. */
export function readUri(uri: string): { repo: string; collection: string; rkey: string } | null {
  const [, repo, collection, rkey] =
    /^at:\/\/(did:[a-z]+:[A-Za-z0-9._:%-]+)\/([A-Za-z0-9.]+)\/([A-Za-z0-9._~:-]+)$/.exec(uri) ?? [];
  return repo && collection && rkey ? { repo, collection, rkey } : null;
}

/** Reads a record; null when it surely is not there. */
export async function readRecord(
  deps: ConnectorDeps,
  session: Session,
  at: { repo: string; collection: string; rkey: string },
): Promise<Answer<Found | null>> {
  const answer = await call(deps, session, {
    nsid: 'com.atproto.repo.getRecord',
    params: at,
    answer: Found,
  });
  if (answer.kind === 'refused' && answer.error === 'RecordNotFound')
    return { kind: 'ok', body: null };
  return answer;
}

/** A post or repost of ours as it stands; its link goes by DID, which stays when the handle changes. */
export function standing(did: string, uri: string, createdAt: string | number): Standing {
  const { rkey = '' } = readUri(uri) ?? {};
  return {
    platform_id: uri,
    url: `https://bsky.app/profile/${did}/post/${rkey}`,
    published_at_ms: typeof createdAt === 'number' ? createdAt : Date.parse(createdAt),
  };
}
