import fastify from 'fastify';
import { openDatabase } from '../platform/db/database.ts';
import type { TestContext, TestLifetime } from './test-context.ts';

/**
 * Starts a minimal track list as a baseline for measurements: the same framework and database, one indexed SELECT of 20
 * rows, no authentication and no rate limit. Returns its port.
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
