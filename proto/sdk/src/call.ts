/** What a caller may say about one call beside its input. */
export interface CallOptions {
  /** Names this write for ever: given again, it is answered as the first time. Else one is made. */
  idempotencyKey?: string;
  /** Ends the call, its retries and its waits. */
  signal?: AbortSignal;
}
