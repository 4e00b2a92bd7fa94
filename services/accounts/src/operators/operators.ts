import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import type { Actor, Operator, OperatorRole, Operators } from '@perch/proto/operators';
import type { Deps } from '../deps.ts';
import { hashOf, hintOf, isWellFormed, newSecret } from '../secret.ts';
import { acts, beginAct, endAct } from './audit-log.ts';

/** `last_used_at` is true to the minute; more often is not worth a write. */
const lastUsedEveryMs = 60_000;

/** Who operates Perch, over the database of accounts. */
export function createOperators(deps: Pick<Deps, 'db' | 'clock'>): Operators {
  return {
    create: async ({ name, role }) => {
      const secret = newSecret('operator');
      const [row] = await deps.db.execute<OperatorRow>(
        `insert into operator (id, name, role, hash, hint, created_at) values (?, ?, ?, ?, ?, ?)
         returning id, name, role, hint, created_at, last_used_at, revoked_at`,
        [
          ...[newId('operator', deps.clock), name, role],
          ...[hashOf(secret), hintOf(secret), new Date(deps.clock())],
        ],
      );
      if (!row) throw new Error('an inserted operator was not returned');
      return { operator: toOperator(row), secret };
    },
    list: async () => {
      const rows = await deps.db.execute<OperatorRow>(
        `select id, name, role, hint, created_at, last_used_at, revoked_at from operator
         order by id desc`,
      );
      return rows.map(toOperator);
    },
    revoke: async ({ operator_id }) => {
      const [row] = await deps.db.execute<OperatorRow>(
        `update operator set revoked_at = coalesce(revoked_at, ?) where id = ?
         returning id, name, role, hint, created_at, last_used_at, revoked_at`,
        [new Date(deps.clock()), operator_id],
      );
      if (!row) throw new Fault('not_found', { detail: 'no such operator', operator_id });
      return toOperator(row);
    },
    authenticate: ({ secret }) => authenticate(deps, secret),
    beginAct: (act) => beginAct(deps, act),
    endAct: (end) => endAct(deps, end),
    acts: (filter) => acts(deps, filter),
  };
}

/** Whom a token stands for. Unknown, revoked and malformed are one and the same to the caller. */
async function authenticate(deps: Pick<Deps, 'db' | 'clock'>, secret: string): Promise<Actor> {
  if (!isWellFormed(secret, ['operator'])) throw new Fault('invalid_operator_token');
  const now = deps.clock();
  const [row] = await deps.db.execute<Pick<OperatorRow, 'id' | 'name' | 'role' | 'last_used_at'>>(
    'select id, name, role, last_used_at from operator where hash = ? and revoked_at is null',
    [hashOf(secret)],
  );
  if (!row) throw new Fault('invalid_operator_token');
  const { id, name, role, last_used_at } = row;
  if (now - Date.parse(last_used_at ?? '1970-01-01') > lastUsedEveryMs)
    await deps.db.execute('update operator set last_used_at = ? where id = ?', [new Date(now), id]);
  return { id, name, role };
}

interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRole;
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

function toOperator(row: OperatorRow): Operator {
  const instant = (text: string | null) => text && toIso(Date.parse(text));
  return {
    ...row,
    created_at: toIso(Date.parse(row.created_at)),
    last_used_at: instant(row.last_used_at),
    revoked_at: instant(row.revoked_at),
  };
}
