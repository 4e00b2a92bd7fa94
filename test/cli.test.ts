import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@perch/local/ports';
import { expect, test } from 'vitest';
import { asText } from '../deploy/cli/src/text.ts';

const main = fileURLToPath(new URL('../deploy/cli/src/main.ts', import.meta.url));

test('a person reads a line for each field, and blocks for what is inside', () => {
  const user = {
    id: 'usr_1',
    plan: 'paid',
    credits: { balance: 5, reserved: 0 },
    accounts: [],
    keys: [
      { id: 'key_1', scopes: ['posts:read', 'posts:write'], expires_at: null },
      { id: 'key_2', scopes: [], expires_at: '2027-01-31T00:00:00.000Z' },
    ],
  };
  expect(asText(user).split('\n')).toEqual([
    'id        usr_1',
    'plan      paid',
    'credits',
    '  balance   5',
    '  reserved  0',
    'accounts  none',
    'keys',
    '  id          key_1',
    '  scopes      posts:read, posts:write',
    '  expires_at  -',
    '',
    '  id          key_2',
    '  scopes      none',
    '  expires_at  2027-01-31T00:00:00.000Z',
  ]);
  expect(asText([])).toBe('none');
});

test('where NATS does not answer, it ends and says what to do', async () => {
  const { port } = await freePorts({ port: 0 });
  const env = { ...process.env, NATS_URL: `nats://127.0.0.1:${port}` };
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [main, 'doctor'], { env, timeout: 10_000 }, (error, out, err) =>
      resolve({ code: error?.code, said: out + err }),
    );
  });
  expect([code, said]).toEqual([1, expect.stringContaining('npm start')]);
});
