import { z } from 'zod';
import { KeyId, UserId } from './ids.ts';
import { limits } from './limits.ts';
import { type Call, procedure, router } from './rpc.ts';

/** One request to the API, as its user sees it in the log. */
export const LoggedRequest = z.object({
  request_id: z.string().max(64),
  key_id: KeyId,
  method: z.string().max(16),
  path: z.string().max(500).describe('Without the query.'),
  status: z.number().int(),
  duration_ms: z.number().int(),
  at: z.iso.datetime(),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

const Record = z.object({
  requests: z
    .array(z.object({ user_id: UserId, ...LoggedRequest.shape }))
    .max(limits.recordedRequests),
});
const List = z.object({ user_id: UserId });

/** The log of API requests, served by accounts: the last ones of each user, as far as they were told. */
export interface Requests {
  /** For the gateway. The same request is written once. */
  record(input: z.output<typeof Record>, call: Call): Promise<void>;
  /** The user's last requests, newest first. */
  list(input: z.output<typeof List>, call: Call): Promise<LoggedRequest[]>;
}

/** The wire form of {@link Requests}. */
export const requestsRouter = (requests: Requests) =>
  router({
    record: procedure.input(Record).mutation(({ input, ctx }) => requests.record(input, ctx)),
    list: procedure
      .input(List)
      .output(z.array(LoggedRequest))
      .query(({ input, ctx }) => requests.list(input, ctx)),
  });
export type RequestsRouter = ReturnType<typeof requestsRouter>;
