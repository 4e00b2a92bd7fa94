import type { ConnectorDeps, Lookup, Sent, Session, Sought } from '../platform.ts';
import { settled } from './api.ts';
import { recordKey } from './record-key.ts';
import { collections, readRecord, standing } from './records.ts';

/** Reads the one record that a send of this key can have made: it is there or it is not. */
export async function lookUp(
  deps: ConnectorDeps,
  session: Session,
  sought: Sought,
  sent: Sent,
): Promise<Lookup> {
  const at = {
    repo: session.remoteId,
    collection: collections[sought.kind],
    rkey: recordKey(sought.key),
  };
  const answer = settled(await readRecord(deps, session, at));
  if (answer.kind !== 'ok') return { kind: 'undecided' };
  if (!answer.body) return { kind: 'absent' };
  const { uri, value } = answer.body;
  const parent = sought.kind === 'repost' ? value.subject?.uri : value.reply?.parent.uri;
  const same = (value.text ?? '') === sought.text && (parent ?? null) === sought.inReplyTo;
  // Two sends would have to share seventy bits; then nobody can tell.
  if (!same || sent.others.has(uri)) return { kind: 'undecided' };
  const createdMs = Date.parse(value.createdAt ?? '');
  return {
    kind: 'found',
    ...standing(session.remoteId, uri, Number.isNaN(createdMs) ? sent.startedMs : createdMs),
  };
}
