import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';

interface FaultRow {
  /** The tRPC code that carries it between services. */
  rpc: TRPC_ERROR_CODE_KEY;
  /** The HTTP status that the gateway answers. */
  status: number;
  /** The title a person reads. */
  title: string;
  /** Whether the identical request can succeed later without any change by the caller. */
  retryable: boolean;
  /** Whether only the dashboard meets it, and never a caller of the API. */
  dashboardOnly: boolean;
}

/** Every failure that a caller can meet: one row each, the code is stable for ever. */
export const faults = {
  invalid_request: row('BAD_REQUEST', 400, 'The request can not be read'),
  invalid_cursor: row('BAD_REQUEST', 400, 'The cursor is not one of this list'),
  invalid_api_key: row('UNAUTHORIZED', 401, 'No valid API key'),
  invalid_credentials: ofDashboard('UNAUTHORIZED', 401, 'Wrong address or password'),
  not_signed_in: ofDashboard('UNAUTHORIZED', 401, 'Nobody is signed in'),
  insufficient_credits: row('PAYMENT_REQUIRED', 402, 'Not enough credits'),
  paid_plan_required: row('FORBIDDEN', 403, 'A paid plan is required'),
  invalid_operator_token: row('UNAUTHORIZED', 401, 'No valid operator token'),
  insufficient_role: row('FORBIDDEN', 403, 'The operator may not do this'),
  insufficient_scope: row('FORBIDDEN', 403, 'The API key may not do this'),
  cross_site_request: ofDashboard('FORBIDDEN', 403, 'The request came from another site'),
  not_found: row('NOT_FOUND', 404, 'No such thing'),
  method_not_allowed: row('METHOD_NOT_SUPPORTED', 405, 'The path does not take this method'),
  api_key_limit_reached: row('CONFLICT', 409, 'No more API keys'),
  preset_limit_reached: ofDashboard('CONFLICT', 409, 'No more presets'),
  link_expired: ofDashboard('CONFLICT', 409, 'The link is not valid any more'),
  not_available: ofDashboard('CONFLICT', 409, 'That is not set up here'),
  webhook_endpoint_limit_reached: row('CONFLICT', 409, 'No more webhook endpoints'),
  daily_limit_reached: row('CONFLICT', 409, 'The account is full on that day'),
  post_not_editable: row('CONFLICT', 409, 'The post can no longer be changed'),
  post_outcome_conflict: row('CONFLICT', 409, 'What became of the post does not allow this'),
  account_disconnected: row('CONFLICT', 409, 'The account must be connected again'),
  connection_failed: row('CONFLICT', 409, 'The account could not be connected'),
  idempotency_in_flight: row(
    'CONFLICT',
    409,
    'A request with this Idempotency-Key is under way',
    true,
  ),
  already_exists: row('CONFLICT', 409, 'It exists already'),
  precondition_failed: row('PRECONDITION_FAILED', 412, 'The post has changed meanwhile'),
  payload_too_large: row('PAYLOAD_TOO_LARGE', 413, 'Too large'),
  unsupported_media_type: row('UNSUPPORTED_MEDIA_TYPE', 415, 'Not a supported type of content'),
  validation_failed: row('UNPROCESSABLE_CONTENT', 422, 'Some fields are not acceptable'),
  outside_posting_window: row('UNPROCESSABLE_CONTENT', 422, 'Outside the posting window'),
  idempotency_key_reused: row(
    'UNPROCESSABLE_CONTENT',
    422,
    'The Idempotency-Key was used for another request',
  ),
  webhook_url_rejected: row('UNPROCESSABLE_CONTENT', 422, 'The webhook URL can not be used'),
  media_url_rejected: row('UNPROCESSABLE_CONTENT', 422, 'The media URL can not be used'),
  rate_limited: row('TOO_MANY_REQUESTS', 429, 'Too many requests', true),
  headers_too_large: row('BAD_REQUEST', 431, 'The headers are too large'),
  request_timeout: row('TIMEOUT', 408, 'The request did not arrive in time', true),
  internal_error: row('INTERNAL_SERVER_ERROR', 500, 'Something broke on our side'),
  client_closed_request: row('CLIENT_CLOSED_REQUEST', 499, 'The caller went away'),
  overloaded: row('TOO_MANY_REQUESTS', 503, 'Too busy right now', true),
  service_unavailable: row('SERVICE_UNAVAILABLE', 503, 'A part of the service is away', true),
  outcome_unknown: row('GATEWAY_TIMEOUT', 504, 'No answer in time: it may or may not be done'),
} as const satisfies Record<string, FaultRow>;

/** A stable code from the table of faults. */
export type FaultCode = keyof typeof faults;

/** Codes that no caller of the public API ever reads. */
export const unseenByCallers: ReadonlySet<string> = new Set([
  'client_closed_request',
  'invalid_operator_token',
  'insufficient_role',
  'post_outcome_conflict',
  ...Object.entries(faults).flatMap(([code, { dashboardOnly }]) => (dashboardOnly ? [code] : [])),
]);

/** What is wrong with one field of the input. */
export interface FieldError {
  /** JSON pointer into the request body (RFC 6901), or the name of a parameter. */
  pointer: string;
  /** A stable word for the rule that was broken. */
  code: string;
  /** One sentence for a person. */
  detail: string;
}

/** What a fault carries beside its code; every dynamic part of `detail` is a field too. */
export type FaultDetails = { detail?: string; errors?: FieldError[] } & Record<string, unknown>;

/** An expected failure: known to the caller by its code. Anything else thrown is a bug and is masked. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly details: FaultDetails;

  constructor(code: FaultCode, details: FaultDetails = {}, options?: ErrorOptions) {
    super(details.detail ?? faults[code].title, options);
    this.code = code;
    this.details = details;
  }
}

/** The fault inside anything thrown: itself, a cause, or one that came over the wire; else null. */
export function faultOf(thrown: unknown): Fault | null {
  if (thrown instanceof Fault) return thrown;
  if (!(thrown instanceof Error)) return null;
  return wireFault(thrown) ?? faultOf(thrown.cause);
}

/** The code of the fault inside anything thrown, or null. */
export function faultCodeOf(thrown: unknown): FaultCode | null {
  return faultOf(thrown)?.code ?? null;
}

/** The part of a tRPC error's `data` that carries a fault over the wire. */
export interface FaultOnWire {
  code: FaultCode;
  details: FaultDetails;
}

function wireFault(error: Error): Fault | null {
  const data: unknown = 'data' in error ? error.data : undefined;
  if (typeof data !== 'object' || data === null || !('fault' in data)) return null;
  return isFaultOnWire(data.fault) ? new Fault(data.fault.code, data.fault.details) : null;
}

function isFaultOnWire(value: unknown): value is FaultOnWire {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(faults, value.code) &&
    'details' in value &&
    typeof value.details === 'object' &&
    value.details !== null
  );
}

function row(rpc: TRPC_ERROR_CODE_KEY, status: number, title: string, retryable = false): FaultRow {
  return { rpc, status, title, retryable, dashboardOnly: false };
}

function ofDashboard(rpc: TRPC_ERROR_CODE_KEY, status: number, title: string): FaultRow {
  return { ...row(rpc, status, title), dashboardOnly: true };
}
