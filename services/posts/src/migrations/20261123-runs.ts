import { Migration } from '@mikro-orm/migrations';

/** Posts that operators have tried again, and the lists that operators read. */
export class Runs20261123 extends Migration {
  override up(): void {
    this.addSql('alter table post add column run int not null default 1');
    this.addSql('create index post_of_account on post (account_id, id desc)');
    this.addSql("create index post_failed on post (id desc) where status = 'failed'");
    this.addSql(
      "create index webhook_delivery_open on webhook_delivery (id desc) where status <> 'delivered'",
    );
  }
}
