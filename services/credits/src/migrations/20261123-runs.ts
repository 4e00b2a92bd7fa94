import { Migration } from '@mikro-orm/migrations';

/** A post that is sent again by an operator holds its credits again, for a later run. */
export class Runs20261123 extends Migration {
  override up(): void {
    this.addSql('alter table hold add column run int not null default 1');
  }
}
