/** What is wrong with one field of an input. */
export interface FieldError {
  /** JSON pointer into the body, or the name of a parameter. */
  pointer: string;
  /** A stable word for the rule that was broken. */
  code: string;
  /** One sentence for a person. */
  detail: string;
}

/** The parts of a failure that a program decides by. */
interface Failure {
  code: string;
  detail: string;
  status?: number;
  requestId?: string | null;
  retryable?: boolean;
  errors?: FieldError[];
  /** The whole problem as it was answered. */
  problem?: Record<string, unknown>;
}

/** A call that failed: what the API answered, or `no_answer` or `invalid_input` when none was had. */
export class PerchError extends Error {
  override readonly name = 'PerchError';
  /** Stable; programs decide by it. */
  readonly code: string;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Name it when you ask for help; null where there was no answer. */
  readonly requestId: string | null;
  /** Whether the identical call can succeed later. */
  readonly retryable: boolean;
  /** One entry per broken field. */
  readonly errors: FieldError[];
  /** Every member of the answer, those of this one code too. */
  readonly problem: Record<string, unknown>;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.detail, options);
    this.code = failure.code;
    this.status = failure.status ?? 0;
    this.requestId = failure.requestId ?? null;
    this.retryable = failure.retryable ?? false;
    this.errors = failure.errors ?? [];
    this.problem = failure.problem ?? {};
  }

  /** For a program to read; it never holds the key. */
  toJSON(): Record<string, unknown> {
    return {
      ...this.problem,
      code: this.code,
      status: this.status,
      detail: this.message,
      request_id: this.requestId,
      retryable: this.retryable,
      ...(this.errors.length > 0 && { errors: this.errors }),
    };
  }
}

/** The error that an answer stands for: its problem, or what can be told without one. */
export function errorOf(response: Response, text: string): PerchError {
  const { status, headers } = response;
  const problem = membersOf(text);
  const { code, detail, request_id, retryable, errors } = problem;
  return new PerchError({
    code: typeof code === 'string' ? code : 'unexpected_answer',
    detail: typeof detail === 'string' ? detail : `the answer was HTTP ${status} without a problem`,
    status,
    requestId: typeof request_id === 'string' ? request_id : headers.get('x-request-id'),
    retryable: retryable === true,
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    problem,
  });
}

function membersOf(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

function isFieldError(value: unknown): value is FieldError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pointer' in value &&
    typeof value.pointer === 'string' &&
    'code' in value &&
    typeof value.code === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string'
  );
}
