import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestContext } from '../../testing/test-context.ts';
import { recordAudit } from './index.ts';

const entry = {
  action: 'api_key_created',
  actor_user_id: 7,
  target_user_id: 7,
  details: { key_id: 'a', scopes: ['read'], expires_at: null },
} as const;

test('the database itself prevents changes, deletions and truncation of the audit log, even by its owner', async (t) => {
  const context = await openTestContext(t);
  await context.db.transaction().execute((tx) => recordAudit(tx, entry));
  const attempts = [
    sql`update audit_log set action = 'x'`,
    sql`update audit_log set action = 'x' where false`,
    sql`delete from audit_log`,
    sql`delete from audit_log where id = -1`,
    sql`truncate audit_log`,
    sql`truncate users, audit_log cascade`,
    sql`insert into audit_log overriding system value select id, action, actor_user_id, target_user_id, details, created_at
        from audit_log on conflict (id) do update set action = 'x'`,
  ];
  for (const attempt of attempts)
    await assert.rejects(attempt.execute(context.db), /audit_log is append-only/);
  await assert.rejects(
    context.db.transaction().execute(async (tx) => {
      // Replication and restores use this setting to disable ordinary triggers.
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`delete from audit_log`.execute(tx);
    }),
    /audit_log is append-only/,
  );
  const rows = await context.db.selectFrom('audit_log').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.action, 'api_key_created');
});

test('an entry is committed or rolled back with the change it records', async (t) => {
  const context = await openTestContext(t);
  await assert.rejects(
    context.db.transaction().execute(async (tx) => {
      await recordAudit(tx, entry);
      throw new Error('what it tells of did not happen');
    }),
  );
  assert.deepEqual(await context.db.selectFrom('audit_log').selectAll().execute(), []);
});

test('an entry outlives the user it names', async (t) => {
  const context = await openTestContext(t);
  const user = await context.db
    .insertInto('users')
    .values({ email: 'a@example.org', password_hash: 'x', created_at: context.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.db.transaction().execute((tx) => recordAudit(tx, { ...entry, target_user_id: user.id }));
  await context.db.deleteFrom('users').execute();
  assert.equal((await context.db.selectFrom('audit_log').selectAll().execute()).length, 1);
});
