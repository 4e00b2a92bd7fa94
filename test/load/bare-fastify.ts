import fastify from 'fastify';
import pg from 'pg';

// The baseline of POST /posts: a handler with one INSERT, on the same PostgreSQL.
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 20 });
await pool.query(
  'create table if not exists bare_post (id bigint generated always as identity primary key, body jsonb not null)',
);
const app = fastify();
app.post('/posts', async (request, reply) => {
  const { rows } = await pool.query('insert into bare_post (body) values ($1) returning id', [
    JSON.stringify(request.body),
  ]);
  return reply.code(201).send({ id: rows[0].id, status: 'scheduled' });
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(url);
