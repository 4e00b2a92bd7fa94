import { z } from 'zod';

const Tokens = z.object({
  access: z.string(),
  /** Works once. */
  refresh: z.string(),
  expiresAtMs: z.number(),
});

/** What Perch holds to act for an account. */
export type Tokens = z.infer<typeof Tokens>;

/** An account's credentials as X's tokens; throws when they are none, which is a bug. */
export function readTokens(credentials: string): Tokens {
  return Tokens.parse(JSON.parse(credentials));
}
