import { startForgetting as startForgettingKeys } from '@perch/proto/idempotency';
import type { Logger } from '@perch/proto/process';
import { forgetOldAttempts } from './identity/attempts.ts';
import type { IdentityDeps } from './identity/deps.ts';
import { forgetOldSessions } from './identity/sessions.ts';
import { forgetSealedSecrets } from './verbs/create-key.ts';

const everyMs = 60_000;

/** Forgets what has served its time, now and then, until stopped. */
export function startForgetting(deps: IdentityDeps & { log: Logger }): () => void {
  const stopKeys = startForgettingKeys(deps);
  const timer = setInterval(() => {
    forget(deps).catch((err: unknown) => deps.log.warn({ err }, 'old sessions not forgotten yet'));
  }, everyMs);
  return () => {
    stopKeys();
    clearInterval(timer);
  };
}

async function forget(deps: IdentityDeps): Promise<void> {
  await forgetOldSessions(deps);
  await forgetOldAttempts(deps);
  await forgetSealedSecrets(deps);
  const now = new Date(deps.clock());
  await deps.db.execute('delete from sign_up where expires_at < ?', [now]);
  await deps.db.execute('delete from password_reset where expires_at < ?', [now]);
}
