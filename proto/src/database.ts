import type { MigrationObject } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
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
  /** Whether the database answers right now. */
  check(): Promise<HealthCheck>;
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
  return {
    fork: () => orm.em.fork(),
    execute: async <Row extends object>(sql: string, params: unknown[] = []) => {
      const { rows } = await pool.query<Row>({ ...prepared(sql), values: params });
      return rows;
    },
    check: async () => {
      const error = await orm.em
        .fork()
        .execute('select 1')
        .then(
          () => null,
          (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
        );
      return { name: 'database', ok: error === null, detail: error ?? 'answers' };
    },
    close: () => orm.close(true),
  };
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
