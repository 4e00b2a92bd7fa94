export type { CallOptions } from './call.ts';
export type { OperationId } from './generated/operations.ts';
export type * from './generated/types.ts';
export { type PagedId, Perch, type PerchOptions } from './perch.ts';
export { type FieldError, PerchError } from './perch-error.ts';
export type { RetryPolicy } from './retry.ts';
export type { StreamUpload, Upload } from './upload.ts';
