import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@perch/proto/idempotency';

/** Posts and their timelines. */
export class Posts20261121 extends Migration {
  override up(): void {
    this.addSql(`
      create table post (
        id text primary key,
        user_id text not null,
        account_id text not null,
        mode text not null default 'live' check (mode in ('live', 'test')),
        clock_ahead_ms bigint not null default 0,
        status text not null check (status in ('scheduled', 'publishing', 'posted', 'cancelled', 'failed')),
        version int not null default 1,
        scheduled_at timestamptz not null,
        tweets jsonb not null,
        tweet_count int not null check (tweet_count > 0),
        parts jsonb not null default '[]',
        auto_reply jsonb,
        auto_retweet jsonb,
        credits int not null check (credits > 0),
        contains_url boolean not null,
        charged boolean not null default false,
        failure jsonb,
        held_until timestamptz,
        armed_at timestamptz,
        posted_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        check ((status = 'posted') = (posted_at is not null)),
        check ((status = 'failed') = (failure is not null)),
        check (not charged or status = 'posted')
      )`);
    // The day of an account, for its limit; the list of a user; what is to be armed; what is overdue.
    this.addSql('create index post_day on post (account_id, scheduled_at)');
    this.addSql('create index post_list on post (user_id, id desc)');
    this.addSql(
      "create index post_unarmed on post (scheduled_at) where status = 'scheduled' and armed_at is null",
    );
    this.addSql(
      "create index post_open on post (scheduled_at) where status in ('scheduled', 'publishing')",
    );
    // Makes whoever schedules on the account wait until this transaction ends, and then tells how much of the
    // day is taken: tweets of posts that count, and those of failed posts that stand. A function, because each
    // statement in it sees what was committed while it waited for the lock.
    this.addSql(`
      create function take_day(account text, day_start timestamptz, day_end timestamptz, except_post text)
      returns int language plpgsql volatile as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended(account, 0));
        return day_use(account, day_start, day_end, except_post);
      end $$`);
    this.addSql(`
      create function day_use(account text, day_start timestamptz, day_end timestamptz, except_post text)
      returns int language sql stable as $$
        select coalesce(sum(
          case when status in ('scheduled', 'publishing', 'posted') then tweet_count else jsonb_array_length(parts) end
        ), 0)::int
        from post
        where account_id = account and scheduled_at >= day_start and scheduled_at < day_end and id <> except_post
      $$`);
    this.addSql(`
      create table post_event (
        position bigint generated always as identity primary key,
        post_id text not null references post (id),
        seq int not null,
        key text not null,
        type text not null,
        at timestamptz not null,
        data jsonb not null,
        hash text not null,
        unique (post_id, key),
        unique (post_id, seq)
      )`);
    // A timeline is append-only and chained: each hash covers the one before it, so that nothing can be changed,
    // put in between or taken out without a trace.
    this.addSql(`
      create function event_hash(before text, post_id text, seq int, key text, type text, at timestamptz, data jsonb)
      returns text language sql stable as $$
        select encode(sha256(convert_to(jsonb_build_array(
          before, post_id, seq, key, type, (extract(epoch from at) * 1000)::bigint, data
        )::text, 'UTF8')), 'hex')
      $$`);
    this.addSql(`
      create function chain_event() returns trigger language plpgsql as $$
      declare
        last record;
      begin
        perform pg_advisory_xact_lock(hashtextextended(new.post_id, 1));
        select e.seq, e.hash into last from post_event e where e.post_id = new.post_id order by e.seq desc limit 1;
        new.seq := coalesce(last.seq, 0) + 1;
        new.hash := event_hash(coalesce(last.hash, ''), new.post_id, new.seq, new.key, new.type, new.at, new.data);
        return new;
      end $$`);
    this.addSql(
      'create trigger chain_event before insert on post_event for each row execute function chain_event()',
    );
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the timeline of a post is append-only';
      end $$`);
    this.addSql(
      'create trigger append_only before update or delete on post_event for each row execute function refuse_change()',
    );
    this.addSql(idempotencyTable);
  }
}
