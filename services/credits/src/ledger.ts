import { defineEntity, p } from '@mikro-orm/core';

/** What a user owns, and how much of it is held; its rules are constraints in the migrations. */
export const Wallet = defineEntity({
  name: 'Wallet',
  properties: {
    user_id: p.text().primary(),
    balance: p.bigint('number'),
    reserved: p.bigint('number'),
  },
});

/** What a post holds or held; one row per post for ever. */
export const Hold = defineEntity({
  name: 'Hold',
  properties: {
    post_id: p.text().primary(),
    user_id: p.text(),
    credits: p.bigint('number'),
    state: p.text().$type<'held' | 'captured' | 'released'>(),
    /** Which run of the post holds it. */
    run: p.integer().default(1),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

/** A line of the ledger; append-only. */
export const Entry = defineEntity({
  name: 'Entry',
  properties: {
    id: p.bigint('number').primary(),
    user_id: p.text(),
    kind: p.text().$type<'grant' | 'charge'>(),
    key: p.text(),
    credits: p.bigint('number'),
    balance_after: p.bigint('number'),
    reason: p.text(),
    post_id: p.text().nullable(),
    created_at: p.datetime(),
  },
});
