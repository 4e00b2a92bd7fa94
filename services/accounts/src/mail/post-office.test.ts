import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { type Database, openDatabase } from '@perch/proto/database';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase } from '@perch/proto/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { entities } from '../entities.ts';
import { migrations } from '../migrations.ts';
import { wishMail } from './outbox.ts';
import { startPostOffice } from './post-office.ts';

let db: Database;
let server: Server;
let smtpUrl: string;
let nowMs = Date.parse('2026-03-01T12:00:00.000Z');
/** What the server is to say to a recipient. */
let toRecipient = '250 ok';
let refused = 0;
const received: string[] = [];

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities, migrations, poolSize: 5 });
  // As much of SMTP as one client speaks.
  server = createServer((socket) => {
    let text = '';
    let inData = false;
    socket.on('error', () => socket.destroy());
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (;;) {
        const end = inData ? '\r\n.\r\n' : '\r\n';
        const at = text.indexOf(end);
        if (at < 0) return;
        const line = text.slice(0, at);
        text = text.slice(at + end.length);
        if (inData) {
          received.push(line);
          inData = false;
          socket.write('250 taken\r\n');
        } else if (line.startsWith('DATA')) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (line.startsWith('RCPT')) {
          if (!toRecipient.startsWith('2')) refused += 1;
          socket.write(`${toRecipient}\r\n`);
        } else {
          socket.write('250 ok\r\n');
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  smtpUrl = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  server?.close();
  await db?.close();
});

function open() {
  return startPostOffice({
    db,
    clock: () => nowMs,
    log: createLogger('test', 'silent'),
    publicUrl: 'https://perch.example',
    mailMode: 'smtp',
    smtpUrl,
    mailFrom: 'Perch <perch@perch.example>',
  });
}

test('a mail that is not taken is tried again later, also by a process that starts anew', async () => {
  await wishMail({ clock: () => nowMs }, db, {
    kind: 'sign_up',
    email: 'new@example.com',
    password_hash: 'hash',
    binding_hash: 'hash',
  });
  toRecipient = '451 later';
  const first = open();
  await expect.poll(() => refused).toBe(1);
  await first();
  expect(await db.execute('select from mail_outbox')).toHaveLength(1);
  toRecipient = '250 ok';
  nowMs += 11_000;
  const second = open();
  await expect.poll(() => received.length).toBe(1);
  await expect.poll(() => db.execute('select from mail_outbox')).toEqual([]);
  await second();
  expect(received[0]).toContain('To: new@example.com');
  expect(received[0]?.replaceAll('=\r\n', '')).toMatch(
    /https:\/\/perch\.example\/app\/confirm#token=/,
  );
});
