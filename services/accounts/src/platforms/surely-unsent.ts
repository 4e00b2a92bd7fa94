import { UnsafeUrl } from '@perch/proto/public-network';

const beforeTheRequest = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/**
 * Whether a request that failed surely never reached its server: no name, no connection, no trust, or our own
 * guard. Of anything else, a reset or a timeout, the server may have seen all of it.
 */
export function surelyUnsent(error: unknown): boolean {
  if (error instanceof UnsafeUrl) return true;
  if (error instanceof AggregateError) return error.errors.every(surelyUnsent);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && (beforeTheRequest.has(code) || /^(CERT_|ERR_TLS_)/.test(code)))
    return true;
  return syscall === 'connect' || surelyUnsent(error.cause);
}
