import type { MigrationObject } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { inTime } from './in-time.ts';
import { gauge } from './metrics.ts';
import type { Logger } from './process.ts';
import type { HealthCheck } from './rpc.ts';
import { SettingsError } from './settings.ts';

/** A service's own database, migrated and ready. */
export interface Database {
  /** A fresh unit of work; take one per call. */
  fork(): EntityManager;
  /**
   * One statement by itself, prepared once per connection, without a unit of work; for the paths that
   * every post takes. The text must be a constant: each one stays prepared.
   */
  execute<Row extends object = object>(sql: string, params?: unknown[]): Promise<Row[]>;
  /** Whether the database answers right now, and has every migration that this version needs. */
  checks(): Promise<HealthCheck[]>;
  close(): Promise<void>;
}

interface Options {
  url: string;
  /** Whether to migrate; true unless given. */
  migrate?: boolean; // biome-ignore lint/suspicious/noExplicitAny: an EntitySchema of any entity; MikroORM types it so.
  entities: EntitySchema<any>[];
  migrations: MigrationObject[];
  /** Connections at the most. */
  poolSize: number;
  log?: Logger;
}

/**
 * Opens a service's database. Brings its tables up to date, in turns where replicas start together; or, with
 * `migrate: false`, refuses to start on tables that are behind.
 */
export async function openDatabase(options: Options): Promise<Database> {
  const orm = await openOrm(options);
  if (options.migrate === false) await mustBeMigrated(orm);
  else await migrate(orm);
  const pool = await orm.em.getConnection().getNativeClient();
  countPool(pool, options.poolSize);
  return {
    fork: () => orm.em.fork(),
    execute: async <Row extends object>(sql: string, params: unknown[] = []) => {
      const { rows } = await pool.query<Row>({ ...prepared(sql), values: params });
      return rows;
    },
    checks: () => checks(orm, options.migrations),
    close: () => orm.close(true),
  };
}

/** A database that does not answer within this is away. */
const checkTimeoutMs = 2_000;

async function checks(orm: MikroORM, needed: MigrationObject[]): Promise<HealthCheck[]> {
  try {
    const sql = 'select name from mikro_orm_migrations';
    const ask = () => orm.em.fork().execute<{ name: string }[]>(sql);
    const rows = await inTime(ask, checkTimeoutMs);
    const missing = needed.filter(({ name }) => !rows.some((row) => row.name === name));
    const names = missing.map(({ name }) => name).join(', ');
    return [
      { name: 'database', ok: true, detail: 'answers' },
      {
        name: 'migrations',
        ok: missing.length === 0,
        detail: names ? `${names} missing; start this service to migrate` : 'all there',
      },
    ];
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return [{ name: 'database', ok: false, detail }];
  }
}

function countPool(
  pool: { totalCount: number; idleCount: number; waitingCount: number },
  size: number,
): void {
  const help = 'Connections to the database in use and idle, and calls that wait for one.';
  gauge({ name: 'perch_database_connections', help, labels: ['state'] }, () => [
    { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waiting' }, value: pool.waitingCount },
  ]);
  gauge(
    { name: 'perch_database_connections_max', help: 'Connections to the database at the most.' },
    () => [{ value: size }],
  );
}

/** Brings a database's tables up to date and closes it again; several at once take turns. */
export async function migrateDatabase(options: {
  url: string;
  migrations: MigrationObject[];
  log: Logger;
}): Promise<void> {
  const orm = await openOrm({ ...options, entities: [], poolSize: 2 });
  try {
    await migrate(orm);
  } finally {
    await orm.close(true);
  }
}

function openOrm(options: Pick<Options, 'url' | 'entities' | 'migrations' | 'poolSize' | 'log'>) {
  return MikroORM.init({
    clientUrl: options.url,
    entities: options.entities,
    // A migration needs no entities.
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: { migrationsList: options.migrations, snapshot: false },
    pool: { min: 0, max: options.poolSize },
    timezone: 'UTC',
    forceUtcTimezone: true,
    colors: false,
    logger: (message) => options.log?.info(message.trim()),
  });
}

/** The lock lives as long as this transaction; the migrations run on another connection. */
async function migrate(orm: MikroORM): Promise<void> {
  await orm.em.transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(7237263)');
    await orm.migrator.up();
  });
}

/** Tables that are ahead are fine: a release and the one before it run on the same ones (docs/operating/upgrade.md). */
async function mustBeMigrated(orm: MikroORM): Promise<void> {
  const pending = await orm.migrator.getPending();
  if (pending.length === 0) return;
  await orm.close(true);
  const names = pending.map(({ name }) => name).join(', ');
  throw new SettingsError(
    `The database lacks the migrations ${names}: run this service's migrate.ts, or set PERCH_MIGRATE_AT_START=true.`,
  );
}

const statements = new Map<string, { name: string; text: string }>();

/** The statement as PostgreSQL takes it: a name to find it again by, and its parameters numbered. */
function prepared(sql: string): { name: string; text: string } {
  const known = statements.get(sql);
  if (known) return known;
  let params = 0;
  const statement = {
    name: `perch_${statements.size + 1}`,
    text: sql.replaceAll('?', () => `$${++params}`),
  };
  statements.set(sql, statement);
  return statement;
}

/** Creates a database on the server of `url` unless it exists; returns its own URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  if (!/^[a-z0-9_]+$/.test(name)) throw new Error(`not a database name: ${name}`);
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  try {
    const [exists] = await orm.em.execute('select 1 from pg_database where datname = ?', [name]);
    if (!exists) await orm.em.execute(`create database "${name}"`);
  } finally {
    await orm.close(true);
  }
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
