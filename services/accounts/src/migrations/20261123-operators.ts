import { Migration } from '@mikro-orm/migrations';

/** Operators, the log of what they did, and accounts that they hold back. */
export class Operators20261123 extends Migration {
  override up(): void {
    this.addSql(`
      create table operator (
        id text primary key,
        name text not null,
        role text not null check (role in ('viewer', 'support', 'admin')),
        hash text not null unique,
        hint text not null,
        created_at timestamptz not null,
        last_used_at timestamptz,
        revoked_at timestamptz
      )`);
    this.addSql(`
      create table act (
        id text primary key,
        at timestamptz not null,
        actor_id text not null,
        actor_name text not null,
        actor_role text not null,
        action text not null,
        subject text not null,
        input jsonb not null,
        reason text not null,
        request_id text not null
      )`);
    this.addSql('create index act_of_actor on act (actor_id, id desc)');
    this.addSql('create index act_on_subject on act (subject, id desc)');
    // A row of its own, for what was written before must not be touched after.
    this.addSql(`
      create table act_end (
        act_id text primary key references act (id),
        at timestamptz not null,
        code text
      )`);
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log is append-only';
      end $$`);
    for (const table of ['act', 'act_end'])
      this.addSql(`
        create trigger append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change()`);
    this.addSql(`
      alter table connected_account
        add column held_since timestamptz,
        add column held_reason text,
        add check ((held_since is null) = (held_reason is null))`);
    this.addSql('create index app_user_email_prefix on app_user (email text_pattern_ops)');
  }
}
