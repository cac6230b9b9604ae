import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestContext } from '../../testing/test-context.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './database.ts';

test("closes connections that only the pool's own query has used", async (t) => {
  const { connection, db } = await openTestContext(t);
  const own = openDatabase({ connection, log: createLog('silent') });
  await own.pool.query("select 'only the pool was asked'");
  await own.close();
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and query like '%only the pool%' and pid <> pg_backend_pid()`.execute(
    db,
  );
  assert.deepEqual(rows, []);
});

test('closes all connections before close resolves, without log entries', async (t) => {
  const { connection, db } = await openTestContext(t);
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const countOthers = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`.execute(db);
    return rows[0]?.count;
  };
  for (let round = 0; round < 5; round++) {
    const own = openDatabase({ connection, log });
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.02)`.execute(own.db)));
    assert.equal(await countOthers(), 12);
    await own.close();
    assert.equal(await countOthers(), 0);
  }
  assert.deepEqual(lines, []);
});
