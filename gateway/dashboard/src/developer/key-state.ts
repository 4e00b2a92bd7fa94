import type { ApiKey } from '@perch/proto/accounts';

/** Whether the key works and counts toward the five (seed §5). */
export function isActive(key: Pick<ApiKey, 'revoked_at' | 'expires_at'>, nowMs: number): boolean {
  return key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > nowMs);
}
