import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints, the outbox that events go through, and the deliveries. */
export class Webhooks20261121 extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoint (
        id text primary key,
        user_id text not null,
        url text not null,
        description text not null,
        events jsonb,
        status text not null check (status in ('enabled', 'disabled')),
        disabled_reason text,
        secret text not null,
        old_secret text,
        old_secret_until timestamptz,
        created_at timestamptz not null
      )`);
    this.addSql('create index webhook_endpoint_user on webhook_endpoint (user_id, id)');
    this.addSql(`
      create table webhook_outbox (
        position bigint generated always as identity primary key,
        event_id text not null unique,
        user_id text not null,
        type text not null,
        at timestamptz not null,
        data jsonb not null
      )`);
    this.addSql(`
      create table webhook_delivery (
        id text primary key,
        user_id text not null,
        endpoint_id text not null references webhook_endpoint (id) on delete cascade,
        event_id text not null,
        type text not null,
        status text not null check (status in ('pending', 'delivered', 'failed')),
        attempts jsonb not null default '[]',
        body text not null,
        run int not null default 1,
        started boolean not null default false,
        created_at timestamptz not null,
        unique (endpoint_id, event_id)
      )`);
    this.addSql('create index webhook_delivery_list on webhook_delivery (endpoint_id, id desc)');
    this.addSql(
      'create index webhook_delivery_unstarted on webhook_delivery (created_at) where not started',
    );
    // Whatever statement writes an event, its webhook is in the same transaction; nobody listening costs one look-up.
    this.addSql(`
      create function tell_webhooks() returns trigger language plpgsql as $$
      declare
        told text := case new.type
          when 'post.scheduled' then 'post.scheduled'
          when 'post.posted' then 'post.posted'
          when 'post.failed' then 'post.failed'
          when 'post.cancelled' then 'post.cancelled'
          when 'auto_reply.sent' then 'post.auto_replied'
          when 'auto_retweet.done' then 'post.auto_retweeted'
        end;
      begin
        if told is not null then
          insert into webhook_outbox (event_id, user_id, type, at, data)
          select 'evt_' || substr(p.id, 6) || '_' || new.seq, p.user_id, told, new.at,
            jsonb_build_object('post_id', p.id, 'account_id', p.account_id, 'seq', new.seq, 'status', p.status, 'mode', p.mode) || new.data
          from post p
          where p.id = new.post_id
            and exists (select from webhook_endpoint e where e.user_id = p.user_id and e.status = 'enabled')
          on conflict (event_id) do nothing;
        end if;
        return null;
      end $$`);
    this.addSql(
      'create trigger tell_webhooks after insert on post_event for each row execute function tell_webhooks()',
    );
  }
}
