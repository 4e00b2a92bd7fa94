const answerTimeoutMs = 10_000;
const maxAnswerBytes = 1_000_000;

/**
 * `fetch` whose answers are whole, small and in time: at most 1 MB within ten seconds, unless the request's own
 * signal gives it another time.
 */
export function boundedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(answerTimeoutMs);
    const own = init?.signal ?? (input instanceof Request ? input.signal : null);
    const signal = own ? AbortSignal.any([own, limit]) : limit;
    const answer = await fetch(input, { ...init, signal });
    return whole(answer);
  };
}

/** An answer with its body read; fails when it is too long. */
export async function whole(answer: Response): Promise<Response> {
  const { status, statusText, headers } = answer;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes)
      throw new Error(`the answer is longer than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  // 204 and the like must not have a body, not even an empty one.
  const body = chunks.length > 0 ? new Blob(chunks) : null;
  return new Response(body, { status, statusText, headers });
}
