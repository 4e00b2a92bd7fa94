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
  }
};

/** A method for every operation of the API. */
export abstract class OperationMethods {
  protected abstract run<Id extends OperationId>(
    id: Id,
    input: Operations['inputs'][Id],
    options?: CallOptions,
  ): Promise<Operations['outputs'][Id]>;

  /** Schedule a post, or publish it at once. Needs the scope `posts:write`. */
  createPost(
    input: Operations['inputs']['createPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['createPost']> {
    return this.run('createPost', input, options);
  }

  /** List posts, newest first. Needs the scope `posts:read`. */
  listPosts(
    input: Operations['inputs']['listPosts'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listPosts']> {
    return this.run('listPosts', input, options);
  }

  /** Read a post. Needs the scope `posts:read`. */
  getPost(
    input: Operations['inputs']['getPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['getPost']> {
    return this.run('getPost', input, options);
  }

  /** Change a post that is not being sent yet. Needs the scope `posts:write`. */
  updatePost(
    input: Operations['inputs']['updatePost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['updatePost']> {
    return this.run('updatePost', input, options);
  }

  /** Cancel a post that is not being sent yet. Needs the scope `posts:write`. */
  cancelPost(
    input: Operations['inputs']['cancelPost'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['cancelPost']> {
    return this.run('cancelPost', input, options);
  }

  /** What happened to a post, oldest first. Needs the scope `posts:read`. */
  listPostEvents(
    input: Operations['inputs']['listPostEvents'],
    options?: CallOptions,
  ): Promise<Operations['outputs']['listPostEvents']> {
    return this.run('listPostEvents', input, options);
  }

  /** List the connected accounts. Needs the scope `accounts:read`. */
  listAccounts(
    input: Operations['inputs']['listAccounts'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listAccounts']> {
    return this.run('listAccounts', input, options);
  }

  /** Read the remaining credits and the prices. Needs the scope `credits:read`. */
  getCredits(
    input: Operations['inputs']['getCredits'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['getCredits']> {
    return this.run('getCredits', input, options);
  }

  /** The ledger, newest first. Needs the scope `credits:read`. */
  listCreditEntries(
    input: Operations['inputs']['listCreditEntries'] = {},
    options?: CallOptions,
  ): Promise<Operations['outputs']['listCreditEntries']> {
    return this.run('listCreditEntries', input, options);
  }

  /** Upload an image or video, or have one fetched. Needs the scope `media:write`. */
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
}
