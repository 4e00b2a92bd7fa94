import type {} from 'vitest';
import { createDatabase } from './database.ts';
import type { Call } from './rpc.ts';

/** A fresh, empty database for one test file, on the server that the test run started. */
export function createTestDatabase(maintenanceUrl: string): Promise<string> {
  return createDatabase(maintenanceUrl, `test_${crypto.randomUUID().replaceAll('-', '')}`);
}

/** A call without a caller, for tests that call a service's implementation directly. */
export function testCall(): Call {
  return {
    requestId: 'req_test',
    signal: new AbortController().signal,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  };
}

declare module 'vitest' {
  /** The real engines that the test run started; see `test/engines.ts`. */
  interface ProvidedContext {
    /** A PostgreSQL server, by its maintenance database. */
    postgresUrl: string;
    natsUrl: string;
    temporalAddress: string;
    /** The path of Temporal's time-skipping test server. */
    timeSkippingServer: string;
  }
}
