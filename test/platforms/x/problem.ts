/** A refusal in X's form, thrown by whatever refuses. */
export class Problem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  constructor(status: number, title: string, detail: string, more: Record<string, unknown> = {}) {
    super(detail);
    this.status = status;
    this.body = { title, detail, type: 'about:blank', status, ...more };
  }
}

/** 403 in X's words. */
export function forbidden(detail: string): Problem {
  return new Problem(403, 'Forbidden', detail);
}

/** 400 with what is wrong, as X nests it. */
export function invalid(message: string, parameters: Record<string, unknown> = {}): Problem {
  const detail = 'One or more parameters to your request was invalid.';
  return new Problem(400, 'Invalid Request', detail, {
    type: 'https://api.twitter.com/2/problems/invalid-request',
    errors: [{ parameters, message }],
  });
}
