import fastify from 'fastify';
import { openDatabase } from '../platform/db/database.ts';
import type { TestContext, TestLifetime } from './test-context.ts';

/**
 * The least that a track list can be: the same framework and database answering with one indexed SELECT of 20 rows, to
 * anybody and uncounted. What the service is measured beside. Answers the port it listens on.
 */
export async function openBareTrackList(
  t: TestLifetime,
  context: TestContext,
  userId: number,
): Promise<number> {
  const { db, close } = openDatabase({ connection: context.connection, log: context.log });
  t.after(close);
  const server = fastify();
  server.get('/rows', async () => {
    const own = db.selectFrom('tracks').selectAll().where('user_id', '=', userId);
    const live = own.where('deleted_at', 'is', null).orderBy('created_at', 'desc').orderBy('id', 'desc');
    return { data: await live.limit(20).execute() };
  });
  t.after(() => server.close());
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
}
