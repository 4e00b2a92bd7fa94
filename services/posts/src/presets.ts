import { type Clock, toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { keepResult, once } from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { Preset, type PresetContent, type Presets } from '@perch/proto/presets';

interface Deps {
  db: Database;
  clock: Clock;
}

/** The saved post templates of users, over their table. */
export function createPresets(deps: Deps): Presets {
  return {
    list: async ({ tenant }) => {
      const rows = await deps.db.execute<Preset>(
        `select ${columns} from preset where user_id = ? order by lower(name), id`,
        [tenant.user_id],
      );
      return rows.map(toPreset);
    },
    create: async ({ tenant, preset, idempotency }) => {
      const { user_id } = tenant;
      const asked = { user_id, idempotency, subject: newId('preset', deps.clock), schema: Preset };
      return once(deps, asked, (id, claim) =>
        deps.db.fork().transactional(async (em) => {
          // Whoever else creates one for the user waits, so that the limit is exact.
          await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 2))', [user_id]);
          const rows: Preset[] = await em.execute(
            `insert into preset (id, user_id, ${contentColumns}, created_at, updated_at)
             select ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?
             where (select count(*) from preset where user_id = ?) < ? returning ${columns}`,
            [id, user_id, ...valuesOf(preset), now(deps), now(deps), user_id, limits.presets],
          );
          return keepResult(em, claim, toPreset(required(rows[0], full)));
        }),
      );
    },
    update: async ({ tenant, preset_id, preset }) => {
      const rows = await deps.db.execute<Preset>(
        `update preset set (${contentColumns}, updated_at) = (?, ?::jsonb, ?::jsonb, ?::jsonb, ?::timestamptz)
         where id = ? and user_id = ? returning ${columns}`,
        [...valuesOf(preset), now(deps), preset_id, tenant.user_id],
      );
      return toPreset(required(rows[0], missing));
    },
    remove: async ({ tenant, preset_id }) => {
      const rows = await deps.db.execute<Preset>(
        'delete from preset where id = ? and user_id = ? returning id',
        [preset_id, tenant.user_id],
      );
      required(rows[0], missing);
    },
  };
}

const contentColumns = 'name, tweets, auto_reply, auto_retweet';
const columns = `id, ${contentColumns}, created_at, updated_at`;

function valuesOf(preset: PresetContent): unknown[] {
  const { name, tweets, auto_reply, auto_retweet } = preset;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  return [name, json(tweets), json(auto_reply), json(auto_retweet)];
}

function toPreset(row: Preset): Preset {
  const iso = (instant: string) => toIso(Date.parse(instant));
  return { ...row, created_at: iso(row.created_at), updated_at: iso(row.updated_at) };
}

function now(deps: Deps): Date {
  return new Date(deps.clock());
}

function required<T>(row: T | undefined, fault: () => Fault): T {
  if (row === undefined) throw fault();
  return row;
}

function missing(): Fault {
  return new Fault('not_found', { detail: 'no such preset' });
}

function full(): Fault {
  const detail = `${limits.presets} presets are allowed; delete one first`;
  return new Fault('preset_limit_reached', { detail, limit: limits.presets });
}
