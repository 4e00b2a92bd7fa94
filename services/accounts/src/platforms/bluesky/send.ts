import { toIso } from '@perch/proto/clock';
import { z } from 'zod';
import type { ConnectorDeps, Outgoing, SendResult, Session } from '../platform.ts';
import { type Answer, call, json, writes } from './api.ts';
import { makeRecord } from './post-record.ts';
import { recordKey } from './record-key.ts';
import { collections, standing } from './records.ts';

const againMs = 5_000;

/**
 * Puts one record into the account's repository, under a key that is the same at every attempt: a repository
 * holds a key once, so the record can not be there twice whatever breaks.
 */
export async function send(
  deps: ConnectorDeps,
  session: Session,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<SendResult> {
  const blockedMs = await session.rateLimits.blockedUntilMs(writes);
  if (blockedMs !== null)
    return { kind: 'retry', at_ms: blockedMs, detail: 'the hourly limit of writes is used up' };
  const createdMs = deps.clock();
  const record = await makeRecord(deps, session, outgoing, toIso(createdMs));
  if (record.kind !== 'ok') return notSent(deps, record);
  if (signal.aborted)
    return { kind: 'retry', at_ms: deps.clock() + againMs, detail: 'the server is slow' };
  const body = {
    repo: session.remoteId,
    collection: collections[outgoing.kind],
    rkey: recordKey(outgoing.key),
    record: record.body,
  };
  const answer = await call(
    deps,
    session,
    { nsid: 'com.atproto.repo.createRecord', body: json(body), answer: Created },
    signal,
  );
  if (answer.kind === 'ok')
    return { kind: 'published', ...standing(session.remoteId, answer.body.uri, createdMs) };
  if (answer.kind === 'unclear') return { kind: 'unknown', detail: answer.detail };
  if (answer.kind === 'refused' && isMissingBlob(answer)) {
    const at_ms = deps.clock() + againMs;
    return { kind: 'retry', at_ms, detail: answer.detail, mediaGone: true };
  }
  return notSent(deps, answer);
}

const Created = z.object({ uri: z.string().startsWith('at://'), cid: z.string() });

type Failure = Exclude<Answer<never>, { kind: 'ok' }>;

/** What a failure means before the record was sent, or when the server said that it did not take it. */
function notSent(deps: ConnectorDeps, failure: Failure): SendResult {
  const { detail } = failure;
  if (failure.kind === 'revoked') return { kind: 'rejected', code: 'account_disconnected', detail };
  if (failure.kind === 'refused') return { kind: 'rejected', code: 'platform_rejected', detail };
  const atMs = 'atMs' in failure ? failure.atMs : null;
  return { kind: 'retry', at_ms: atMs ?? deps.clock() + againMs, detail };
}

function isMissingBlob({ error, detail }: Extract<Failure, { kind: 'refused' }>): boolean {
  return error === 'BlobNotFound' || /could not find blob/i.test(detail);
}
