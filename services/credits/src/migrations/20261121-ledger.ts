import { Migration } from '@mikro-orm/migrations';

/** The ledger. Its rules are constraints, so that no code can break them. */
export class Ledger20261121 extends Migration {
  override up(): void {
    // A negative balance, or more held than owned, can not be written.
    this.addSql(`
      create table wallet (
        user_id text primary key,
        balance bigint not null default 0,
        reserved bigint not null default 0,
        check (reserved >= 0 and balance >= reserved)
      )`);
    // A post holds credits at most once in its life.
    this.addSql(`
      create table hold (
        post_id text primary key,
        user_id text not null references wallet (user_id),
        credits bigint not null check (credits > 0),
        state text not null check (state in ('held', 'captured', 'released')),
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`);
    // One grant per key of a user, one charge per post.
    this.addSql(`
      create table entry (
        id bigint generated always as identity primary key,
        user_id text not null references wallet (user_id),
        kind text not null check (kind in ('grant', 'charge')),
        key text not null,
        credits bigint not null check ((kind = 'grant') = (credits > 0) and credits <> 0),
        balance_after bigint not null,
        reason text not null,
        post_id text,
        created_at timestamptz not null,
        unique (kind, user_id, key)
      )`);
    this.addSql('create index entry_list on entry (user_id, id desc)');
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception 'the ledger is append-only'; end $$`);
    this.addSql(`
      create trigger entry_append_only before update or delete on entry
      for each statement execute function refuse_change()`);
  }
}
