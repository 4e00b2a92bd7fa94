import { Migration } from '@mikro-orm/migrations';

/** Saved post templates of the dashboard. */
export class Presets20261122 extends Migration {
  override up(): void {
    this.addSql(`
      create table preset (
        id text primary key,
        user_id text not null,
        name text not null,
        tweets jsonb not null,
        auto_reply jsonb,
        auto_retweet jsonb,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`);
    this.addSql('create index preset_list on preset (user_id, name)');
  }
}
