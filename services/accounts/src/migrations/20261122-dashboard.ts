import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@perch/proto/idempotency';

/** Passwords and sessions of the dashboard, its mail, what Stripe tells, and the log of API requests. */
export class Dashboard20261122 extends Migration {
  override up(): void {
    this.addSql('alter table app_user add column password_hash text');
    // The token is in the browser alone; here is its hash.
    this.addSql(`
      create table dashboard_session (
        id text primary key,
        user_id text not null references app_user (id),
        token_hash text not null unique,
        ip text not null,
        user_agent text not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      )`);
    this.addSql('create index dashboard_session_user on dashboard_session (user_id)');
    // Links that were mailed, by the hashes of their tokens.
    this.addSql(`
      create table sign_up (
        token_hash text primary key,
        email text not null,
        password_hash text not null,
        binding_hash text not null,
        expires_at timestamptz not null
      )`);
    this.addSql(`
      create table password_reset (
        token_hash text primary key,
        user_id text not null references app_user (id),
        expires_at timestamptz not null
      )`);
    // How often something was tried in the window that begins then.
    this.addSql(`
      create table attempt_window (
        subject text not null,
        window_start timestamptz not null,
        attempts int not null,
        primary key (subject, window_start)
      )`);
    // What is to be mailed to whom. The text, and the token in it, are made when it is sent.
    this.addSql(`
      create table mail_outbox (
        id text primary key,
        kind text not null check (kind in ('sign_up', 'password_reset', 'password_changed')),
        email text not null,
        password_hash text,
        binding_hash text,
        tries int not null default 0,
        next_try_at timestamptz not null,
        created_at timestamptz not null
      )`);
    this.addSql('create index mail_outbox_due on mail_outbox (next_try_at)');
    this.addSql(`
      create table local_mail (
        id text primary key,
        recipient text not null,
        subject text not null,
        body text not null,
        created_at timestamptz not null
      )`);
    this.addSql(`
      create table subscription (
        user_id text primary key references app_user (id),
        source text not null check (source in ('stripe', 'demo')),
        stripe_customer text unique,
        stripe_subscription text unique,
        renews_at timestamptz,
        ends_at timestamptz
      )`);
    this.addSql(`
      create table stripe_event (
        id text primary key,
        taken_at timestamptz not null
      )`);
    // The credits of a month were granted, for that plan.
    this.addSql(`
      create table monthly_grant (
        user_id text not null references app_user (id),
        month text not null,
        plan text not null,
        primary key (user_id, month, plan)
      )`);
    this.addSql(`
      create table api_request (
        user_id text not null,
        request_id text not null,
        key_id text not null,
        method text not null,
        path text not null,
        status int not null,
        duration_ms int not null,
        at timestamptz not null,
        primary key (user_id, request_id)
      )`);
    this.addSql(idempotencyTable);
  }
}
