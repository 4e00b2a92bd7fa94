import { Migration } from '@mikro-orm/migrations';

/** Users, keys, connected accounts, the journal of sends, and the sandbox platform's own table. */
export class Accounts20261121 extends Migration {
  override up(): void {
    this.addSql(`
      create table app_user (
        id text primary key,
        email text not null unique,
        plan text not null check (plan in ('free', 'paid')),
        created_at timestamptz not null
      )`);
    this.addSql(`
      create table api_key (
        id text primary key,
        user_id text not null references app_user (id),
        slot int not null check (slot between 1 and 5),
        name text not null,
        mode text not null check (mode in ('live', 'test')),
        hash text not null unique,
        hint text not null,
        scopes jsonb not null,
        account_ids jsonb,
        created_at timestamptz not null,
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz
      )`);
    // Five slots and no more (seed §5), however many ask at once.
    this.addSql(
      'create unique index api_key_slot on api_key (user_id, slot) where revoked_at is null',
    );
    // Requests of a key in the minute that begins then; of no worth after a crash.
    this.addSql(`
      create unlogged table request_window (
        key_id text not null,
        window_start timestamptz not null,
        asked int not null,
        primary key (key_id, window_start)
      )`);
    this.addSql(`
      create table connected_account (
        id text primary key,
        user_id text not null references app_user (id),
        platform text not null,
        handle text not null,
        display_name text not null,
        time_zone text not null,
        posting_window jsonb not null,
        outside_window text not null check (outside_window in ('fail', 'defer')),
        reply_template text,
        status text not null check (status in ('connected', 'disconnected')),
        credentials text,
        created_at timestamptz not null,
        unique (user_id, platform, handle)
      )`);
    // A row is written before each send; without an outcome nobody knows what became of it.
    this.addSql(`
      create table send (
        post_id text not null,
        step text not null,
        attempt int not null,
        account_id text not null references connected_account (id),
        addressee text,
        started_at timestamptz not null,
        outcome jsonb,
        finished_at timestamptz,
        primary key (post_id, step, attempt)
      )`);
    // The sandbox platform: as if remote. Every send is a row, so that a double send would show.
    this.addSql(`
      create table sandbox_post (
        ref text primary key,
        account_id text not null,
        author text not null,
        kind text not null check (kind in ('post', 'reply', 'repost')),
        text text not null,
        media jsonb not null,
        in_reply_to text,
        attempt_key text,
        created_at timestamptz not null
      )`);
    this.addSql('create index sandbox_post_feed on sandbox_post (account_id, ref desc)');
    this.addSql('create index sandbox_post_replies on sandbox_post (in_reply_to)');
    this.addSql('create index sandbox_post_attempt on sandbox_post (attempt_key)');
  }
}
