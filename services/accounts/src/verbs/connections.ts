import { createHash, randomBytes } from 'node:crypto';
import type { PlatformName } from '@perch/proto/accounts';
import { toIso } from '@perch/proto/clock';
import type { ConnectionState, ConnectionTicket, NewConnection } from '@perch/proto/connections';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, toAccount } from '../entities.ts';
import { findUser } from '../find.ts';
import { browserUrl } from '../platforms/platforms.ts';
import { registration } from '../platforms/registration.ts';
import { consentOf } from './platforms.ts';

/** A link that nobody has opened by then is of no use any more. */
const ticketMs = 15 * 60_000;

/** A ticket for connecting one account: whoever opens its link is asked, then sent to the platform. */
export async function create(
  deps: Deps,
  input: z.output<typeof NewConnection>,
): Promise<ConnectionTicket> {
  const { user_id, platform, settings } = input;
  const server = input.server?.replace(/^@/, '') ?? null;
  await findUser(deps.db.fork(), { id: user_id });
  consentOf(deps, platform);
  if (platform !== 'sandbox' && registration[platform].server === 'required' && !server) {
    const detail = `say on which server the account lives`;
    throw new Fault('connection_failed', { detail, reason: 'server_missing', platform });
  }
  const ticket = randomBytes(32).toString('base64url');
  const expiresMs = deps.clock() + ticketMs;
  await deps.db.execute(
    `insert into connection (id, user_id, platform, server, settings, status, ticket_hash, expires_at)
     values (?, ?, ?, ?, ?::jsonb, 'new', ?, ?)`,
    [
      newId('connection', deps.clock),
      user_id,
      platform,
      server,
      JSON.stringify(settings),
      secretHash(ticket),
      new Date(expiresMs),
    ],
  );
  // Nobody asks for old ones; what they led to is an account.
  await deps.db.execute('delete from connection where expires_at < ?', [
    new Date(deps.clock() - keptMs),
  ]);
  const url = `${browserUrl(deps.publicUrl)}/connect/${ticket}`;
  return { ticket, url, expires_at: toIso(expiresMs) };
}

const keptMs = 86_400_000;

/** How far a connection has come. */
export async function get(deps: Deps, input: { ticket: string }): Promise<ConnectionState> {
  const [row] = await deps.db.execute<ConnectionRow>(
    `select c.platform, c.server, c.user_id, u.email as user_email, c.status, c.account_id, c.failure, c.expires_at
     from connection c join app_user u on u.id = c.user_id where c.ticket_hash = ?`,
    [secretHash(input.ticket)],
  );
  if (!row) throw new Fault('not_found', { detail: 'no such connection' });
  const { account_id, expires_at, ...state } = row;
  const open = state.status === 'new' || state.status === 'begun';
  const expired = open && Date.parse(expires_at) <= deps.clock();
  const account = account_id
    ? await deps.db.fork().findOne(ConnectedAccount, { id: account_id, user_id: row.user_id })
    : null;
  return {
    ...state,
    status: expired ? 'expired' : state.status,
    account: account && toAccount(account),
  };
}

type ConnectionRow = {
  platform: PlatformName;
  server: string | null;
  user_id: string;
  user_email: string;
  status: 'new' | 'begun' | 'connected' | 'failed';
  account_id: string | null;
  failure: string | null;
  expires_at: string;
};

/** What is stored of a ticket, a state or a binding; each has more randomness than can be guessed. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Writes down why a connection came to nothing, for whoever waits for it. */
export async function fail(deps: Deps, id: string, error: unknown): Promise<never> {
  const known = error instanceof Fault && error.code === 'connection_failed';
  const failure = known ? error.message : 'the platform could not be asked; try again';
  await deps.db.execute("update connection set status = 'failed', failure = ? where id = ?", [
    failure,
    id,
  ]);
  if (known) throw error;
  deps.log.warn({ err: error, connectionId: id }, 'connecting an account broke off');
  throw new Fault('connection_failed', { detail: failure, reason: 'platform_away' });
}

/** What seals a connection's secret. */
export function connectionPlace(id: string): string {
  return `connection|${id}|secret`;
}
