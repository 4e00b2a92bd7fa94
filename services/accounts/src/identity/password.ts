import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** argon2id with OWASP's first choice of costs: 19 MiB, 2 passes, 1 lane. */
const costs = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

/** What is stored of a password, in the PHC string format, so that costs can grow later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive(password, salt, costs);
  const { memory, passes, parallelism } = costs;
  const parameters = `m=${memory},t=${passes},p=${parallelism}`;
  return ['', 'argon2id', 'v=19', parameters, base64(salt), base64(tag)].join('$');
}

/** Whether it is the password; takes as long where there is none to compare with. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = phc.exec(hash ?? '');
  if (!parts?.groups) {
    await derive(password, Buffer.alloc(saltBytes), costs);
    return false;
  }
  const { m, t, p, salt = '', tag = '' } = parts.groups;
  const expected = Buffer.from(tag, 'base64');
  const stored = {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  };
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), stored), expected);
}

const phc =
  /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[\w+/]+)\$(?<tag>[\w+/]+)$/;

function derive(password: string, salt: Buffer, how: typeof costs): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // The same text can be typed as different code points.
  const message = password.normalize('NFC');
  argon2('argon2id', { ...how, message, nonce: salt }, (error, tag) =>
    error ? reject(error) : resolve(tag),
  );
  return promise;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
