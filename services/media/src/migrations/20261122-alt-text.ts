import { Migration } from '@mikro-orm/migrations';

/** What platforms' rules ask of media, and what it shows. */
export class AltText20261122 extends Migration {
  override up(): void {
    this.addSql(`
      alter table media
        add column width int,
        add column height int,
        add column duration_ms int,
        add column alt_text text`);
  }
}
