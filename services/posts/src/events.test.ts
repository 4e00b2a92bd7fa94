import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { createTestDatabase } from '@perch/proto/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { addEvent, brokenAt, readEvents } from './events.ts';
import { migrations } from './migrations.ts';
import { PostEntity } from './post.ts';

let db: Database;
let id = '';

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities: [PostEntity], migrations, poolSize: 20 });
});
afterAll(() => db?.close());

beforeEach(async () => {
  id = newId('post', Date.now);
  const at = new Date();
  await db.fork().insert(PostEntity, {
    id,
    user_id: newId('user', Date.now),
    account_id: newId('account', Date.now),
    status: 'scheduled',
    version: 1,
    scheduled_at: at,
    tweets: [{ text: 'x', media_ids: [] }],
    tweet_count: 1,
    parts: [],
    credits: 1,
    contains_url: false,
    charged: false,
    created_at: at,
    updated_at: at,
  });
});

const add = (key: string) =>
  addEvent(db.fork(), {
    post_id: id,
    key,
    type: 'post.updated',
    at: new Date(),
    data: { key, when: '2026-01-01T00:00:00.000Z', nested: { b: 1, a: [1.5, null] } },
  });
const seqs = async () =>
  (await readEvents(db.fork(), { post_id: id, after: 0, limit: 100 })).map((event) => event.seq);

test('events that are written at the same moment are one chain without gaps', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(`key ${n}`)));
  expect(await seqs()).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  expect(await brokenAt(db.fork(), id)).toBeNull();
});

test('a repeated event is written once', async () => {
  await add('same');
  await add('same');
  await add('next');
  expect(await seqs()).toEqual([1, 2]);
  expect(await brokenAt(db.fork(), id)).toBeNull();
});

test('the timeline can not be changed, and what somebody with more rights changed shows', async () => {
  for (const key of ['one', 'two', 'three', 'four']) await add(key);
  const em = db.fork();
  const change = "update post_event set data = '{}' where post_id = ? and seq = 2";
  await expect(em.execute(change, [id])).rejects.toThrow('append-only');
  await expect(em.execute('delete from post_event where post_id = ?', [id])).rejects.toThrow(
    'append-only',
  );
  await em.execute('alter table post_event disable trigger append_only');
  await em.execute(change, [id]);
  expect(await brokenAt(em, id)).toBe(2);
  await em.execute('delete from post_event where post_id = ? and seq < 3', [id]);
  expect(await brokenAt(em, id)).toBe(3);
  await em.execute('alter table post_event enable trigger append_only');
});
