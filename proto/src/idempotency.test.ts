import { defineEntity, p } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from './database.ts';
import { Fault } from './faults.ts';
import { type Claim, idempotencyTable, keepResult, once } from './idempotency.ts';
import { createTestDatabase } from './testing.ts';

class Records extends Migration {
  override up(): void {
    this.addSql(idempotencyTable);
  }
}
/** A database has at least one entity. */
const Thing = defineEntity({ name: 'Thing', properties: { id: p.text().primary() } });

const schema = z.object({ id: z.string() });
let db: Database;
let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
let keys = 0;
let key = '';

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const migrations = [{ name: 'records', class: Records }];
  db = await openDatabase({ url, entities: [Thing], migrations, poolSize: 10 });
});
afterAll(() => db?.close());
beforeEach(() => {
  key = `key-${++keys}`;
});

type Work = (subject: string, claim: Claim) => Promise<{ id: string }>;

const done: Work = async (subject, claim) => {
  const result = { id: subject };
  await keepResult(db, claim, result);
  return result;
};

/** One request with the key, whose work makes something with that subject. */
function ask(subject: string, work: Work = done, fingerprint = 'same') {
  const asked = { user_id: 'usr_1', idempotency: { key, fingerprint }, subject, schema };
  return once({ db, clock: () => nowMs }, asked, work);
}

test('the work is done once; asked again, the first result comes again', async () => {
  expect(await ask('one')).toEqual({ result: { id: 'one' }, replayed: false });
  expect(await ask('two')).toEqual({ result: { id: 'one' }, replayed: true });
});

test('of 50 at once one works; the others are told to wait, or get its result', async () => {
  let worked = 0;
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      ask(`subject-${n}`, (subject, claim) => {
        worked += 1;
        return done(subject, claim);
      }),
    ),
  );
  expect(worked).toBe(1);
  for (const answer of answers) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'idempotency_in_flight' });
  }
});

test('the key with another request is refused, also while the first is under way', async () => {
  await ask('one', async (subject, claim) => {
    await expect(ask('two', done, 'other')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    return done(subject, claim);
  });
  await expect(ask('two', done, 'other')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('a refusal leaves the key free, for a corrected request too', async () => {
  const refuse: Work = async () => {
    throw new Fault('validation_failed');
  };
  await expect(ask('one', refuse)).rejects.toMatchObject({ code: 'validation_failed' });
  expect((await ask('two', done, 'corrected')).result.id).toBe('two');
});

test('a failure that may have done the work goes on with the same subject', async () => {
  const broken: Work = async () => {
    throw new Error('connection lost');
  };
  await expect(ask('one', broken)).rejects.toThrow('connection lost');
  nowMs += 1;
  expect(await ask('two')).toEqual({ result: { id: 'one' }, replayed: false });
});

test('when a process died, another takes over after the lease, and the late one records nothing', async () => {
  const began = Promise.withResolvers<void>();
  const resume = Promise.withResolvers<void>();
  const hung = ask('one', async (subject, claim) => {
    began.resolve();
    await resume.promise;
    return done(subject, claim);
  });
  await began.promise;
  await expect(ask('two')).rejects.toMatchObject({ code: 'idempotency_in_flight' });
  nowMs += 10_001;
  expect(await ask('two')).toEqual({ result: { id: 'one' }, replayed: false });
  resume.resolve();
  await expect(hung).rejects.toMatchObject({ code: 'idempotency_in_flight' });
  expect((await ask('three')).replayed).toBe(true);
});

test('without a key the work is simply done', async () => {
  const asked = { user_id: 'usr_1', idempotency: null, subject: 'free', schema };
  expect(await once({ db, clock: () => nowMs }, asked, done)).toEqual({
    result: { id: 'free' },
    replayed: false,
  });
});
