import { Migration } from '@mikro-orm/migrations';

/** What the reconciler keeps, and the trace that each post began. */
export class Reconciler20261121 extends Migration {
  override up(): void {
    // Where in its trace a post was created, in W3C's form; null when it was not traced.
    this.addSql('alter table post add column traceparent text');
    // Until then nobody need look again whether the workflow of a late post lives.
    this.addSql('alter table post add column look_again_at timestamptz');
    // The order in which charges are audited.
    this.addSql(
      "create index post_ended on post (updated_at, id) where status in ('posted', 'failed')",
    );
    // The Temporal namespace that posts were armed in; another one knows nothing of them.
    this.addSql(`
      create table armed_in (
        only_row boolean primary key default true check (only_row),
        namespace_id text not null
      )`);
    // How far the audit of charges has come.
    this.addSql(`
      create table audited (
        only_row boolean primary key default true check (only_row),
        updated_at timestamptz not null,
        post_id text not null
      )`);
    this.addSql("insert into audited (updated_at, post_id) values ('-infinity', '')");
    // Posts whose charge is not as it should be, for a person; closed once it is.
    this.addSql(`
      create table charge_mismatch (
        post_id text primary key references post (id),
        kind text not null check (kind in ('posted_uncharged', 'charged_unposted')),
        found_at timestamptz not null,
        closed_at timestamptz
      )`);
    this.addSql(
      'create index charge_mismatch_open on charge_mismatch (found_at) where closed_at is null',
    );
    // An age in milliseconds; of nothing, none.
    this.addSql(`
      create function ms(age interval) returns float8 language sql immutable as $$
        select greatest(coalesce(extract(epoch from age) * 1000, 0), 0)::float8
      $$`);
  }
}
