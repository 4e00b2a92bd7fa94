import { Migration } from '@mikro-orm/migrations';

/** Real platforms: whose account it is there, what they told us, and connections under way. */
export class Platforms20261122 extends Migration {
  override up(): void {
    // Handles change; the platform's own id of an account does not.
    this.addSql('alter table connected_account add column remote_id text');
    this.addSql('update connected_account set remote_id = handle');
    this.addSql(`
      alter table connected_account
        alter column remote_id set not null,
        add column facts jsonb,
        drop constraint connected_account_user_id_platform_handle_key,
        add constraint connected_account_remote unique (user_id, platform, remote_id)`);
    this.addSql('create index send_of_account on send (account_id, started_at)');
    this.addSql(`
      create table upload (
        account_id text not null references connected_account (id),
        media_id text not null,
        state jsonb,
        ref text,
        expires_at timestamptz not null,
        primary key (account_id, media_id)
      )`);
    // Limits of platforms that are used up until then; of no worth after a crash.
    this.addSql(`
      create unlogged table rate_limit (
        scope text not null,
        bucket text not null,
        reset_at timestamptz not null,
        primary key (scope, bucket)
      )`);
    this.addSql(`
      create table platform_secret (
        platform text not null,
        name text not null,
        sealed text not null,
        primary key (platform, name)
      )`);
    this.addSql(`
      create table connection (
        id text primary key,
        user_id text not null references app_user (id),
        platform text not null,
        server text,
        settings jsonb not null,
        status text not null check (status in ('new', 'begun', 'connected', 'failed')),
        ticket_hash text not null unique,
        state_hash text unique,
        binding_hash text,
        secret text,
        account_id text references connected_account (id),
        failure text,
        expires_at timestamptz not null
      )`);
  }
}
