// Made by `npm run generate -w @perch/sdk` from gateway/openapi.json: change that instead.

import type { CallOptions } from '../call.ts';
import type { OperationRow } from '../operation.ts';
import type { Operations } from './types.ts';

/** Every operation by its name. */
export type OperationId = keyof Operations['inputs'];

/** Where the API lives below its origin. */
export const basePath = "/api/v1";

export const rows: Record<OperationId, OperationRow> = {
  "createPost": {
    "method": "POST",
    "path": "/posts",
    "parameters": {},
    "required": [
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "listPosts": {
    "method": "GET",
    "path": "/posts",
    "parameters": {
      "status": "query",
      "account_id": "query",
      "scheduled_from": "query",
      "scheduled_to": "query",
      "limit": "query",
      "cursor": "query"
    },
    "required": [],
    "body": false,
    "form": false,
    "paged": true
  },
  "validatePost": {
    "method": "POST",
    "path": "/posts/validate",
    "parameters": {},
    "required": [
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "simulateSchedule": {
    "method": "POST",
    "path": "/schedule/simulate",
    "parameters": {},
    "required": [
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "advanceTestClock": {
    "method": "POST",
    "path": "/test/clock/advance",
    "parameters": {},
    "required": [
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "getPost": {
    "method": "GET",
    "path": "/posts/{id}",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "updatePost": {
    "method": "PATCH",
    "path": "/posts/{id}",
    "parameters": {
      "id": "path",
      "If-Match": "header"
    },
    "required": [
      "id",
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "cancelPost": {
    "method": "DELETE",
    "path": "/posts/{id}",
    "parameters": {
      "id": "path",
      "If-Match": "header"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "listPostEvents": {
    "method": "GET",
    "path": "/posts/{id}/events",
    "parameters": {
      "limit": "query",
      "cursor": "query",
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": true
  },
  "listAccounts": {
    "method": "GET",
    "path": "/accounts",
    "parameters": {},
    "required": [],
    "body": false,
    "form": false,
    "paged": false
  },
  "getCredits": {
    "method": "GET",
    "path": "/credits",
    "parameters": {},
    "required": [],
    "body": false,
    "form": false,
    "paged": false
  },
  "listCreditEntries": {
    "method": "GET",
    "path": "/credits/entries",
    "parameters": {
      "limit": "query",
      "cursor": "query"
    },
    "required": [],
    "body": false,
    "form": false,
    "paged": true
  },
  "createMedia": {
    "method": "POST",
    "path": "/media",
    "parameters": {},
    "required": [],
    "body": true,
    "form": true,
    "paged": false
  },
  "getMedia": {
    "method": "GET",
    "path": "/media/{id}",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "parameters": {},
    "required": [
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints",
    "parameters": {},
    "required": [],
    "body": false,
    "form": false,
    "paged": false
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{id}",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{id}",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id",
      "body"
    ],
    "body": true,
    "form": false,
    "paged": false
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{id}",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{id}/rotate_secret",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "testWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints/{id}/test",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{id}/deliveries",
    "parameters": {
      "status": "query",
      "limit": "query",
      "cursor": "query",
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": true
  },
  "replayWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_deliveries/{id}/replay",
    "parameters": {
      "id": "path"
    },
    "required": [
      "id"
    ],
    "body": false,
    "form": false,
    "paged": false
  }
};

/** A method for every operation of the API. */
export abstract class OperationMethods {
  protected abstract run<Id extends OperationId>(
    id: Id,
    input: Operations['inputs'][Id],
    options?: CallOptions,
  ): Promise<Operations['outputs'][Id]>;

  /** Schedule a post, or publish it at once. Give exactly one of `scheduled_at` (in the future, within 366 days) and `publish_now: true`. The thread must fit the 7 tweets that an account may have on a local day, the posting window of the account, and the rules of its platform. It is charged only after it has gone out. Needs the scope `posts:write`. */
  createPost(
    input: Operations['inputs']['createPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['createPost']> {
    return this.run('createPost', input, options);
  }

  /** List posts, newest first. Newest by creation, whatever their status; filters narrow it down. Needs the scope `posts:read`. */
  listPosts(
    input: Operations['inputs']['listPosts'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listPosts']> {
    return this.run('listPosts', input, options);
  }

  /** Rehearse a post: every issue, its price, and the next time that is legal. Needs the scope `posts:write`. */
  validatePost(
    input: Operations['inputs']['validatePost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['validatePost']> {
    return this.run('validatePost', input, options);
  }

  /** Rehearse a whole schedule: what window, day limit and credits would do to each post. Needs the scope `posts:write`. */
  simulateSchedule(
    input: Operations['inputs']['simulateSchedule'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['simulateSchedule']> {
    return this.run('simulateSchedule', input, options);
  }

  /** Move all scheduled test posts nearer. With a test key only. What is due by then goes out at once, judged by the clock as you moved it. Scheduled posts move; auto-replies and auto-retweets of posts that are out do not. Needs the scope `posts:write`. */
  advanceTestClock(
    input: Operations['inputs']['advanceTestClock'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['advanceTestClock']> {
    return this.run('advanceTestClock', input, options);
  }

  /** Read a post. Needs the scope `posts:read`. */
  getPost(
    input: Operations['inputs']['getPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['getPost']> {
    return this.run('getPost', input, options);
  }

  /** Change a post that is not being sent yet. A field that is absent stays as it is; null removes `auto_reply` or `auto_retweet`. All rules of a new post hold. With `If-Match`, only the version that you saw is changed. Needs the scope `posts:write`. */
  updatePost(
    input: Operations['inputs']['updatePost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['updatePost']> {
    return this.run('updatePost', input, options);
  }

  /** Cancel a post that is not being sent yet. It stays readable, with the status `cancelled`, and gives its place in the day free. To cancel again has the same answer. Needs the scope `posts:write`. */
  cancelPost(
    input: Operations['inputs']['cancelPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['cancelPost']> {
    return this.run('cancelPost', input, options);
  }

  /** What happened to a post, oldest first. Also what could not be done, and why. Needs the scope `posts:read`. */
  listPostEvents(
    input: Operations['inputs']['listPostEvents'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['listPostEvents']> {
    return this.run('listPostEvents', input, options);
  }

  /** List the connected accounts. Those that the key may touch, with how much of their local day is taken. Needs the scope `accounts:read`. */
  listAccounts(
    input: Operations['inputs']['listAccounts'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listAccounts']> {
    return this.run('listAccounts', input, options);
  }

  /** Read the remaining credits and the prices. `available` is `balance` less what posts that are being sent hold. With a test key nothing is ever charged, and the balance stays as it is. Needs the scope `credits:read`. */
  getCredits(
    input: Operations['inputs']['getCredits'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['getCredits']> {
    return this.run('getCredits', input, options);
  }

  /** The ledger, newest first. Entries are never changed; they add up to `balance`. Needs the scope `credits:read`. */
  listCreditEntries(
    input: Operations['inputs']['listCreditEntries'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listCreditEntries']> {
    return this.run('listCreditEntries', input, options);
  }

  /** Upload an image or video, or have one fetched. Either a form with the part `file` and, before or after it, `alt_text`; or JSON with an HTTPS `url` of a public host. What no post uses is deleted after a day. Needs the scope `media:write`. */
  createMedia(
    input: Operations['inputs']['createMedia'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['createMedia']> {
    return this.run('createMedia', input, options);
  }

  /** Read what is known of an image or video. Needs the scope `media:write`. */
  getMedia(
    input: Operations['inputs']['getMedia'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['getMedia']> {
    return this.run('getMedia', input, options);
  }

  /** Have events sent to a URL. Needs the scope `webhooks:manage`. */
  createWebhookEndpoint(
    input: Operations['inputs']['createWebhookEndpoint'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['createWebhookEndpoint']> {
    return this.run('createWebhookEndpoint', input, options);
  }

  /** List webhook endpoints. Needs the scope `webhooks:manage`. */
  listWebhookEndpoints(
    input: Operations['inputs']['listWebhookEndpoints'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listWebhookEndpoints']> {
    return this.run('listWebhookEndpoints', input, options);
  }

  /** Read a webhook endpoint. Needs the scope `webhooks:manage`. */
  getWebhookEndpoint(
    input: Operations['inputs']['getWebhookEndpoint'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['getWebhookEndpoint']> {
    return this.run('getWebhookEndpoint', input, options);
  }

  /** Change a webhook endpoint, or enable it again. Needs the scope `webhooks:manage`. */
  updateWebhookEndpoint(
    input: Operations['inputs']['updateWebhookEndpoint'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['updateWebhookEndpoint']> {
    return this.run('updateWebhookEndpoint', input, options);
  }

  /** Delete a webhook endpoint and its log. Needs the scope `webhooks:manage`. */
  deleteWebhookEndpoint(
    input: Operations['inputs']['deleteWebhookEndpoint'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['deleteWebhookEndpoint']> {
    return this.run('deleteWebhookEndpoint', input, options);
  }

  /** Take a new secret; for a day deliveries are signed by the old one too. Needs the scope `webhooks:manage`. */
  rotateWebhookSecret(
    input: Operations['inputs']['rotateWebhookSecret'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['rotateWebhookSecret']> {
    return this.run('rotateWebhookSecret', input, options);
  }

  /** Send the event webhook.test. Needs the scope `webhooks:manage`. */
  testWebhookEndpoint(
    input: Operations['inputs']['testWebhookEndpoint'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['testWebhookEndpoint']> {
    return this.run('testWebhookEndpoint', input, options);
  }

  /** What was sent to an endpoint, and what it answered, newest first. Needs the scope `webhooks:manage`. */
  listWebhookDeliveries(
    input: Operations['inputs']['listWebhookDeliveries'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['listWebhookDeliveries']> {
    return this.run('listWebhookDeliveries', input, options);
  }

  /** Send a delivery again. Needs the scope `webhooks:manage`. */
  replayWebhookDelivery(
    input: Operations['inputs']['replayWebhookDelivery'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['replayWebhookDelivery']> {
    return this.run('replayWebhookDelivery', input, options);
  }
}
