/** What runs SQL: the database by itself, or a transaction of it. */
export interface Executes {
  execute<Row extends object = object>(sql: string, params?: unknown[]): Promise<Row[]>;
}
