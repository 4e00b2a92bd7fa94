import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from './rpc.ts';

const calls = new AsyncLocalStorage<Call>();

/** Runs `work` as part of `call`. */
export function asCall<T>(call: Call, work: () => T): T {
  return calls.run(call, work);
}

/** The call that is being answered here, or none; what it asks of others belongs to it, and so do its log lines. */
export function currentCall(): Call | undefined {
  return calls.getStore();
}
