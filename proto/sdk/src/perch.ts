import type { CallOptions } from './call.ts';
import { basePath, type OperationId, OperationMethods, rows } from './generated/operations.ts';
import type { Operations } from './generated/types.ts';
import { PerchError } from './perch-error.ts';
import { isHeaderText, planRequest } from './request.ts';
import { defaultPolicy, type RetryPolicy } from './retry.ts';
import { type SendDeps, send } from './send.ts';

/** What a client is made of; all but the first two have good defaults. */
export interface PerchOptions {
  /** Where Perch is, such as `https://perch.example`; the path of the API is added. */
  baseUrl: string;
  apiKey: string;
  /** How often and how long to try. */
  retry?: Partial<RetryPolicy>;
  /** How long one attempt may take; an upload may take four times as long. */
  timeoutMs?: number;
  fetch?: typeof fetch;
  /** Waits between attempts; a test hands in its own. */
  wait?: SendDeps['wait'];
}

/** An operation that answers pages of a list. */
export type PagedId = keyof Operations['items'];

const defaultTimeoutMs = 90_000;

/**
 * The API of Perch: a method for every operation, named and typed by the OpenAPI document.
 * Every write carries an `Idempotency-Key`, so that it is done once however often it is tried.
 */
export class Perch extends OperationMethods {
  readonly #base: string;
  readonly #deps: SendDeps;

  constructor(options: PerchOptions) {
    super();
    // Said here and without it: `fetch` would say the key in its error.
    if (!isHeaderText(options.apiKey)) throw invalid('the API key has characters that no key has');
    this.#base = options.baseUrl.replace(/\/+$/, '') + basePath;
    this.#deps = {
      apiKey: options.apiKey,
      fetch: options.fetch ?? fetch,
      policy: { ...defaultPolicy, ...options.retry },
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      wait: options.wait ?? wait,
      random: Math.random,
      now: Date.now,
    };
  }

  /** One operation by a name that is only known now; throws `invalid_input` for an unknown one. */
  call(id: string, input: object = {}, options?: CallOptions): Promise<unknown> {
    return this.#send(knownId(id), input, options);
  }

  /** Every entry of a list, page after page as they are asked for. */
  async *paginate<Id extends PagedId>(
    id: Id,
    input: Operations['inputs'][Id],
    options?: CallOptions,
  ): AsyncGenerator<Operations['items'][Id]> {
    yield* this.#entries<Operations['items'][Id]>(id, input, options);
  }

  /** Every entry of a list whose name is only known now. */
  async *callPages(id: string, input: object = {}, options?: CallOptions): AsyncGenerator<unknown> {
    const known = knownId(id);
    if (!rows[known].paged) throw invalid(`${id} answers no pages`);
    yield* this.#entries(known, input, options);
  }

  protected override async run<Id extends OperationId>(
    id: Id,
    input: Operations['inputs'][Id],
    options?: CallOptions,
  ): Promise<Operations['outputs'][Id]> {
    return this.#send(id, input, options);
  }

  async *#entries<T>(id: OperationId, input: object, options?: CallOptions): AsyncGenerator<T> {
    let cursor: string | null = null;
    do {
      const asked: object = cursor === null ? input : { ...input, cursor };
      const page: { data: T[]; next_cursor: string | null } = await this.#send(id, asked, options);
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** The answer, whose shape the document vouches for. */
  async #send(id: OperationId, input: object, options: CallOptions = {}) {
    const plan = planRequest(this.#base, rows[id], input);
    const uploads = 'form' in input;
    const timeoutMs = this.#deps.timeoutMs * (uploads ? 4 : 1);
    const text = await send({ ...this.#deps, timeoutMs }, plan, options);
    return text === '' ? null : JSON.parse(text);
  }
}

function knownId(id: string): OperationId {
  if (isOperationId(id)) return id;
  throw invalid(`there is no operation ${id}`);
}

/** Whether the API has an operation of this name. */
export function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(rows, id);
}

function invalid(detail: string): PerchError {
  return new PerchError({ code: 'invalid_input', detail });
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
