import { accountOperations } from './accounts.ts';
import { creditOperations } from './credits.ts';
import { mediaOperations } from './media.ts';
import type { Operation } from './operation.ts';
import { postOperations } from './posts.ts';
import { webhookOperations } from './webhooks.ts';

/** The whole public API, `/api/v1`. */
export const operations: Operation[] = [
  ...postOperations,
  ...accountOperations,
  ...creditOperations,
  ...mediaOperations,
  ...webhookOperations,
];
