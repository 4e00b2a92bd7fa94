import { UnsafeUrl } from '@perch/proto/public-network';

/**
 * Whether a request that failed surely never reached its server: no name, no connection, no trust, or our own
 * guard. Of anything else, a reset or a timeout, the server may have seen all of it.
 */
export function surelyUnsent(error: unknown): boolean {
  if (error instanceof UnsafeUrl) return true;
  if (error instanceof AggregateError) return error.errors.every(surelyUnsent);
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const connecting = syscall === 'connect' || syscall === 'getaddrinfo';
  return connecting || beforeTheRequest.test(code) || surelyUnsent(error.cause);
}

const beforeTheRequest =
  /^(UND_ERR_CONNECT_TIMEOUT$|CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
