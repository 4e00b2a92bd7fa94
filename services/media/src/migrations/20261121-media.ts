import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@perch/proto/idempotency';

/** Media, and which posts keep them. */
export class Media20261121 extends Migration {
  override up(): void {
    this.addSql(`
      create table media (
        id text primary key,
        user_id text not null,
        status text not null check (status in ('pending', 'receiving', 'ready')),
        type text,
        bytes bigint,
        sha256 text,
        source_url text,
        created_at timestamptz not null,
        check (status <> 'ready' or (type is not null and bytes is not null and sha256 is not null))
      )`);
    this.addSql(`
      create table media_use (
        media_id text not null references media (id),
        post_id text not null,
        primary key (media_id, post_id)
      )`);
    this.addSql(idempotencyTable);
    this.addSql('create index media_age on media (created_at)');
  }
}
