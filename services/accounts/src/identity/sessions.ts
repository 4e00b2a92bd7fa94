import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import type { NewSession, Origin, Session, SignedIn } from '@perch/proto/identity';
import { newId } from '@perch/proto/ids';
import type { Executes } from '../executes.ts';
import { hashOf } from '../secret.ts';
import type { IdentityDeps } from './deps.ts';
import { newToken } from './token.ts';

type Deps = Pick<IdentityDeps, 'db' | 'clock' | 'sessionIdleMs' | 'sessionMaxMs'>;

/** `last_seen_at` is true to the minute; more often is not worth a write. */
const lastSeenEveryMs = 60_000;

/** Begins a session of the user, always with a new token: one that was planted before is worth nothing. */
export async function beginSession(
  deps: Deps,
  on: Executes,
  from: { user_id: string; origin: Origin },
): Promise<NewSession> {
  const { token, hash } = newToken();
  const nowMs = deps.clock();
  const id = newId('session', deps.clock);
  const rows = await on.execute<SessionRow>(
    `with s as (
       insert into dashboard_session (id, user_id, token_hash, ip, user_agent, created_at, last_seen_at, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning *
     )
     select ${columns} from s join app_user u on u.id = s.user_id`,
    [
      ...[id, from.user_id, hash, from.origin.ip, from.origin.user_agent],
      ...[new Date(nowMs), new Date(nowMs), new Date(nowMs + deps.sessionMaxMs)],
    ],
  );
  const [row] = rows;
  if (!row) throw new Error(`no user ${from.user_id} for a session`);
  return { ...toSignedIn(row), token };
}

/** Who has that token. `not_signed_in` when nobody has, it was ended, or it has expired. */
export async function readSession(deps: Deps, input: { token: string }): Promise<SignedIn> {
  const nowMs = deps.clock();
  const [row] = await deps.db.execute<SessionRow>(
    `select ${columns} from dashboard_session s join app_user u on u.id = s.user_id
     where s.token_hash = ? and s.expires_at > ? and s.last_seen_at > ?`,
    [hashOf(input.token), new Date(nowMs), new Date(nowMs - deps.sessionIdleMs)],
  );
  if (!row) throw new Fault('not_signed_in', { detail: 'sign in first' });
  if (nowMs - Date.parse(row.last_seen_at) > lastSeenEveryMs) {
    await deps.db.execute('update dashboard_session set last_seen_at = ? where id = ?', [
      new Date(nowMs),
      row.id,
    ]);
  }
  return toSignedIn(row);
}

/** Ends the session of a token; one that has ended is nothing to do. */
export async function signOut(deps: Deps, input: { token: string }): Promise<void> {
  const hash = hashOf(input.token);
  await deps.db.execute('delete from dashboard_session where token_hash = ?', [hash]);
}

/** The user's sessions that have not ended, the last used first. */
export async function listSessions(deps: Deps, input: { user_id: string }): Promise<Session[]> {
  const nowMs = deps.clock();
  const rows = await deps.db.execute<SessionRow>(
    `select ${columns} from dashboard_session s join app_user u on u.id = s.user_id
     where s.user_id = ? and s.expires_at > ? and s.last_seen_at > ? order by s.last_seen_at desc limit 100`,
    [input.user_id, new Date(nowMs), new Date(nowMs - deps.sessionIdleMs)],
  );
  return rows.map((row) => toSignedIn(row).session);
}

/** Ends one session of the user; `not_found` when there is none. */
export async function endSession(
  deps: Deps,
  input: { user_id: string; session_id: string },
): Promise<void> {
  const rows = await deps.db.execute(
    'delete from dashboard_session where id = ? and user_id = ? returning id',
    [input.session_id, input.user_id],
  );
  if (rows.length === 0) throw new Fault('not_found', { detail: 'no such session' });
}

/** Forgets sessions that have expired. */
export async function forgetOldSessions(deps: Deps): Promise<void> {
  const nowMs = deps.clock();
  await deps.db.execute('delete from dashboard_session where expires_at < ? or last_seen_at < ?', [
    new Date(nowMs),
    new Date(nowMs - deps.sessionIdleMs),
  ]);
}

const columns = `s.id, s.ip, s.user_agent, s.created_at, s.last_seen_at, s.expires_at,
  u.id as user_id, u.email, u.plan, u.created_at as user_created_at`;

interface SessionRow {
  id: string;
  ip: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  user_id: string;
  email: string;
  plan: 'free' | 'paid';
  user_created_at: string;
}

function toSignedIn(row: SessionRow): SignedIn {
  const iso = (instant: string) => toIso(Date.parse(instant));
  return {
    user: {
      id: row.user_id,
      email: row.email,
      plan: row.plan,
      created_at: iso(row.user_created_at),
    },
    session: {
      id: row.id,
      ip: row.ip,
      user_agent: row.user_agent,
      created_at: iso(row.created_at),
      last_seen_at: iso(row.last_seen_at),
      expires_at: iso(row.expires_at),
    },
  };
}
