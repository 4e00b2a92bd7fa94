import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TimeZone } from './accounts.ts';
import { faults } from './faults.ts';
import { newId, PostId } from './ids.ts';
import { UtcInstant } from './instant.ts';
import { MediaUrl } from './media.ts';
import { NewPost } from './posts.ts';
import { parseSettings, SettingsError } from './settings.ts';
import { StorableText } from './text.ts';
import { jsonPointer, parseInput } from './validation.ts';

test('ids sort by the time they were made, and never collide', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 47 }),
      fc.integer({ min: 1, max: 1e9 }),
      (at, later) => {
        const [first, second] = [newId('post', () => at), newId('post', () => at + later)];
        expect(first < second).toBe(true);
        expect(PostId.parse(first)).toBe(first);
      },
    ),
  );
  expect(new Set(Array.from({ length: 10_000 }, () => newId('post', () => 1))).size).toBe(10_000);
  expect(PostId.safeParse(newId('media', () => 1)).success).toBe(false);
});

test('a pointer leads to its field, whatever the field is called', () => {
  expect(jsonPointer(['tweets', 0, 'a/b~c'])).toBe('/tweets/0/a~1b~0c');
});

test('all mistakes are told at once, each by its field', () => {
  const bad = {
    account_id: 'x',
    tweets: [{ text: 'a', colour: 1 }],
    scheduled_at: 'tomorrow',
    publish_now: true,
  };
  try {
    parseInput(NewPost, bad);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: 'validation_failed' });
    const { errors } = (error as { details: { errors: { pointer: string }[] } }).details;
    expect([...new Set(errors.map(({ pointer }) => pointer))].sort()).toEqual([
      '/account_id',
      '/scheduled_at',
      '/tweets/0/colour',
    ]);
  }
});

test('time zones are places with their rules, not offsets', () => {
  for (const zone of ['Europe/Paris', 'UTC', 'Asia/Kathmandu'])
    expect(TimeZone.safeParse(zone).success).toBe(true);
  for (const zone of ['+02:00', 'Mars/Olympus', ''])
    expect(TimeZone.safeParse(zone).success).toBe(false);
});

test('an instant is a UTC date and time that exist, to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('1000-01-01T00:00:00.000Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(UtcInstant.parse(date.toISOString())).toBe(date.toISOString());
      },
    ),
  );
  for (const text of [
    '2027-02-29T00:00:00.000Z',
    '2100-02-29T00:00:00.000Z',
    '2027-02-30T00:00:00.000Z',
    '2027-04-31T00:00:00.000Z',
    '2027-13-01T00:00:00.000Z',
    '2027-01-01T24:00:00.000Z',
    '2027-01-01T00:00:60.000Z',
    '0000-01-01T00:00:00.000Z',
    '2027-01-01T00:00:00Z',
    '2027-01-01T00:00:00.000+00:00',
    '2027-01-01T00:00:00.000Z\n',
  ])
    expect([text, UtcInstant.safeParse(text).success]).toEqual([text, false]);
});

test('text is what a database can keep', () => {
  for (const text of ['', 'a\nb', '😀', '\ufeff', '\u0001'])
    expect(StorableText.safeParse(text).success).toBe(true);
  for (const text of ['\0', 'a\0b', '\ud83d', '\ude00\ud83d'])
    expect(StorableText.safeParse(text).success).toBe(false);
});

test('media URLs are https only', () => {
  expect(MediaUrl.safeParse('https://example.com/a.png').success).toBe(true);
  for (const url of ['http://example.com/a.png', 'ftp://x/y', 'javascript:alert(1)', 'a.png']) {
    expect(MediaUrl.safeParse(url).success).toBe(false);
  }
});

test('a start without the right settings names every one of them', () => {
  const Settings = z.object({
    DATABASE_URL: z.url(),
    PORT: z.coerce.number().int(),
    NAME: z.string().default('x'),
  });
  expect(
    parseSettings(Settings, { DATABASE_URL: 'postgres://x/y', PORT: '1', NAME: '' }),
  ).toMatchObject({ NAME: 'x' });
  expect(() => parseSettings(Settings, { PORT: 'many' })).toThrow(SettingsError);
  expect(() => parseSettings(Settings, { PORT: 'many' })).toThrow(
    /DATABASE_URL: is not set\n {2}PORT: /,
  );
});

test('only what can succeed unchanged is called retryable', () => {
  const later = [
    'idempotency_in_flight',
    'overloaded',
    'rate_limited',
    'request_timeout',
    'service_unavailable',
  ];
  for (const [code, { retryable }] of Object.entries(faults)) {
    expect([code, retryable]).toEqual([code, later.includes(code)]);
    expect(code).toMatch(/^[a-z_]{3,63}$/);
  }
});
