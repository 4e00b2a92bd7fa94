import type { Clients } from '@perch/proto/clients';
import { limits } from '@perch/proto/limits';
import type { Logger } from '@perch/proto/process';
import type { LoggedRequest } from '@perch/proto/requests';

/** A request to the API on its way into the log of its user. */
type Entry = LoggedRequest & { user_id: string };

/** Tells accounts of API requests, in batches, without holding any of them up. */
export interface RequestLog {
  add(entry: Entry): void;
  /** Tells what is left. */
  stop(): Promise<void>;
}

const everyMs = 1_000;

/** The log keeps the last requests of each user, so no more of them are kept here; where it is away, some are lost. */
export function createRequestLog(deps: { requests: Clients['requests']; log: Logger }): RequestLog {
  const waiting = new Map<string, Entry[]>();
  let timer: NodeJS.Timeout | undefined;
  let telling = Promise.resolve();

  async function tell(): Promise<void> {
    const all = [...waiting.values()].flat();
    waiting.clear();
    for (let start = 0; start < all.length; start += limits.recordedRequests) {
      const requests = all.slice(start, start + limits.recordedRequests);
      await deps.requests.record
        .mutate({ requests })
        .catch((err: unknown) => deps.log.warn({ err }, 'the log of API requests has a gap'));
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    telling = telling.then(tell);
    return telling;
  }

  return {
    add: (entry) => {
      const own = waiting.get(entry.user_id) ?? [];
      own.push(entry);
      if (own.length > limits.loggedRequests) own.shift();
      waiting.set(entry.user_id, own);
      timer ??= setTimeout(() => void flush(), everyMs);
    },
    stop: flush,
  };
}
