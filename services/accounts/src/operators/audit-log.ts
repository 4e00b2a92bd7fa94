import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { ActId, newId } from '@perch/proto/ids';
import type { Act, ActEnd, ActsPage, NewAct, OperatorRole } from '@perch/proto/operators';
import { pageFrom } from '@perch/proto/pages';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';

/** Writes down what an operator is about to do. */
export async function beginAct(
  deps: Pick<Deps, 'db' | 'clock'>,
  act: NewAct,
): Promise<{ act_id: string }> {
  const { actor, action, subject, input, reason, request_id } = act;
  const act_id = newId('act', deps.clock);
  await deps.db.execute(
    `insert into act (id, at, actor_id, actor_name, actor_role, action, subject, input, reason, request_id)
     values (?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?)`,
    [
      ...[act_id, new Date(deps.clock()), actor.id, actor.name, actor.role],
      ...[action, subject, JSON.stringify(input), reason, request_id],
    ],
  );
  return { act_id };
}

/** Writes down how an act ended, once. */
export async function endAct(
  deps: Pick<Deps, 'db' | 'clock'>,
  end: z.infer<typeof ActEnd>,
): Promise<void> {
  await deps.db.execute(
    'insert into act_end (act_id, at, code) values (?, ?, ?) on conflict (act_id) do nothing',
    [end.act_id, new Date(deps.clock()), end.code],
  );
}

/** A page of the log, newest first; the cursor is the last act's id. */
export async function acts(
  deps: Pick<Deps, 'db'>,
  filter: {
    actor_id?: string | undefined;
    subject?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<z.infer<typeof ActsPage>> {
  const { actor_id = null, subject = null, limit, cursor = null } = filter;
  if (cursor !== null && !ActId.safeParse(cursor).success) throw new Fault('invalid_cursor');
  const rows = await deps.db.execute<ActRow>(
    `select a.*, e.at as ended_at, e.code, e.act_id is not null as ended
     from act a left join act_end e on e.act_id = a.id
     where (?::text is null or a.actor_id = ?) and (?::text is null or a.subject = ?)
       and (?::text is null or a.id < ?)
     order by a.id desc limit ?`,
    [actor_id, actor_id, subject, subject, cursor, cursor, limit + 1],
  );
  return pageFrom(rows.map(toAct), limit, ({ id }) => id);
}

interface ActRow {
  id: string;
  at: string;
  actor_id: string;
  actor_name: string;
  actor_role: OperatorRole;
  action: string;
  subject: string;
  input: Record<string, unknown>;
  reason: string;
  request_id: string;
  ended: boolean;
  ended_at: string | null;
  code: string | null;
}

function toAct(row: ActRow): Act {
  const { id, action, subject, input, reason, request_id, code } = row;
  const outcome = code === null ? 'done' : 'failed';
  return {
    id,
    at: toIso(Date.parse(row.at)),
    actor: { id: row.actor_id, name: row.actor_name, role: row.actor_role },
    action,
    subject,
    input,
    reason,
    request_id,
    outcome: row.ended ? outcome : 'unknown',
    code,
    ended_at: row.ended_at && toIso(Date.parse(row.ended_at)),
  };
}
