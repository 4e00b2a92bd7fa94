/** What must be known of an operation to send it. */
export interface OperationRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path, with `{name}` for each path parameter. */
  path: string;
  /** Where each parameter goes. */
  parameters: Record<string, 'path' | 'query' | 'header'>;
  /** Inputs without which there is no request. */
  required: string[];
  /** Whether it takes a JSON body, as the input `body`. */
  body: boolean;
  /** Whether it takes a multipart form, as the input `form`, by field. */
  form: boolean;
  /** Whether its answers are pages of a list. */
  paged: boolean;
}

/** What a person or a model must know of an operation to use it. */
export interface OperationGuide {
  tag: string;
  summary: string;
  description: string;
  /** JSON Schema 2020-12 of the input: parameters by name, and `body`. */
  input: {
    type: 'object';
    properties: Record<string, Record<string, unknown>>;
    required: string[];
    additionalProperties: false;
    $defs?: Record<string, unknown>;
  };
  /** The fields of the form that may be sent instead of `body`, by what each holds. */
  formFields: Record<string, 'file' | 'text'>;
  /** A body that works. */
  example?: unknown;
}
