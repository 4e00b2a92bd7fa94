import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { KeyMode } from '@perch/proto/accounts';
import type { AutoReply, AutoRetweet, Post, PostFailureCode, PostStatus } from '@perch/proto/posts';
import type { PublishedPart } from '@perch/proto/workflows';
import type { z } from 'zod';

/** A tweet as stored: the caller's text, and its media as ids whatever way they came. */
export interface StoredTweet {
  text: string;
  media_ids: string[];
}

/** A post as stored; its constraints are in the migrations. */
export const PostEntity = defineEntity({
  name: 'Post',
  tableName: 'post',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    account_id: p.text(),
    mode: p.text().$type<KeyMode>().default('live'),
    /** How far a test clock was advanced for it. */
    clock_ahead_ms: p.bigint('number').default(0),
    status: p.text().$type<PostStatus>(),
    version: p.integer(),
    /** Grows with each retry by an operator; each run has a workflow of its own. */
    run: p.integer().default(1),
    scheduled_at: p.datetime(),
    tweets: p.json<StoredTweet[]>(),
    tweet_count: p.integer(),
    parts: p.json<PublishedPart[]>(),
    auto_reply: p.json<z.infer<typeof AutoReply>>().nullable(),
    auto_retweet: p.json<z.infer<typeof AutoRetweet>>().nullable(),
    credits: p.integer(),
    contains_url: p.boolean(),
    charged: p.boolean(),
    failure: p.json<{ code: PostFailureCode; detail: string }>().nullable(),
    held_until: p.datetime().nullable(),
    armed_at: p.datetime().nullable(),
    posted_at: p.datetime().nullable(),
    /** Where in its trace the post was created, in W3C's form. */
    traceparent: p.text().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});
export type StoredPost = InferEntity<typeof PostEntity>;

/** The post as the API shows it. */
export function toPost(row: StoredPost): Post {
  return {
    id: row.id,
    account_id: row.account_id,
    mode: row.mode,
    status: row.status,
    version: row.version,
    scheduled_at: row.scheduled_at.toISOString(),
    tweets: row.tweets.map((tweet, index) => {
      const part = row.parts.find((one) => one.index === index);
      return { ...tweet, url: part?.url ?? null, platform_id: part?.platform_id ?? null };
    }),
    auto_reply: row.auto_reply ?? null,
    auto_retweet: row.auto_retweet ?? null,
    cost: { credits: row.credits, contains_url: row.contains_url, charged: row.charged },
    failure: row.failure ?? null,
    posted_at: row.posted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
