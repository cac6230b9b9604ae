import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { accessTokenOf, insertSealedRows, openSealedRows } from '../../testing/sealed-rows.ts';
import { openTestContext } from '../../testing/test-context.ts';
import type { Context } from '../context.ts';
import { createLog } from '../log.ts';
import { warnOfLostKeys } from './lost-keys.ts';
import { keyFileOf } from './master-keys.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { countSecretsByKey } from './sealed-columns.ts';
import { createSecrets, openSecrets } from './secrets.ts';

const silent = () => undefined;
const tokens = (count: number) => Array.from({ length: count }, (_, number) => `token ${number}`).sort();
const keyLines = async (context: Context) =>
  (await readFile(keyFileOf(context.config.dataDir), 'utf8')).trim().split('\n');

test('encrypts all secrets with a new key and keeps the old key for decryption', async (t) => {
  const context = await openTestContext(t);
  const [oldId = ''] = context.secrets.keyIds();
  await insertSealedRows(context, 250);
  const reported: number[] = [];
  const done = await rotateSecrets(context, (moved) => reported.push(moved));
  assert.deepEqual({ ...done, keyId: '' }, { keyId: '', isNewKey: true, moved: 250, unreadable: [] });
  assert.notEqual(done.keyId, oldId);
  assert.deepEqual(reported, [100, 200, 250]);
  assert.deepEqual([...(await countSecretsByKey(context.db))], [[done.keyId, 250]]);
  assert.deepEqual(context.secrets.keyIds(), [done.keyId, oldId]);
  assert.deepEqual((await openSealedRows(context)).sort(), tokens(250));
  assert.equal((await keyLines(context)).length, 2);
  assert.equal((await stat(keyFileOf(context.config.dataDir))).mode & 0o777, 0o600);
});

test('continues an interrupted rotation with the same key; the next rotation creates another', async (t) => {
  const context = await openTestContext(t);
  await insertSealedRows(context, 3);
  const first = await rotateSecrets(context, silent);
  // Simulates an interruption before the last row: it is encrypted with the old key.
  const [row] = await context.db.selectFrom('connections').selectAll().execute();
  assert.ok(row);
  const [, line = ''] = await keyLines(context);
  const old = createSecrets(() => [Buffer.from(line, 'base64url')]);
  const secret = old.seal(context.secrets.open(row.secret, accessTokenOf(row)), accessTokenOf(row));
  await context.db.updateTable('connections').set({ secret }).where('id', '=', row.id).execute();
  const second = await rotateSecrets(context, silent);
  assert.deepEqual([second.isNewKey, second.moved, second.keyId], [false, 1, first.keyId]);
  const third = await rotateSecrets(context, silent);
  assert.deepEqual([third.isNewKey, third.moved], [true, 3]);
});

test('creates no key with SECRET_KEY, and moves all secrets from the previous key to the current one', async (t) => {
  const previous = 'the key of last year, of 32 characters or more';
  const before = await openTestContext(t, { config: { secretKey: previous } });
  await insertSealedRows(before, 2);
  const config = {
    ...before.config,
    secretKey: 'the key of this year, also of more than 32 of them',
    previousSecretKeys: [previous],
  };
  const context = { ...before, config, secrets: await openSecrets(config) };
  const done = await rotateSecrets(context, silent);
  assert.deepEqual([done.isNewKey, done.moved], [false, 2]);
  assert.deepEqual((await openSealedRows(context)).sort(), tokens(2));
  assert.equal((await rotateSecrets(context, silent)).moved, 0);
});

test('leaves unreadable secrets unchanged and reports them, and moves the rest', async (t) => {
  const context = await openTestContext(t);
  await insertSealedRows(context, 2);
  const [one, two] = await context.db.selectFrom('connections').selectAll().execute();
  assert.ok(one && two);
  const { secret } = two;
  await context.db.updateTable('connections').set({ secret }).where('id', '=', one.id).execute();
  const done = await rotateSecrets(context, silent);
  assert.equal(done.moved, 1);
  assert.match(done.unreadable.join(), new RegExp(`connections.secret of ${one.id} was changed`));
  const left = await context.db
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  assert.equal(left.secret, secret);
});

test('rejects a concurrent rotation', async (t) => {
  const context = await openTestContext(t);
  await insertSealedRows(context, 1);
  const isHeld = await context.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock(73273887)`.execute(db);
    await assert.rejects(rotateSecrets(context, silent), { name: 'RotationRunsError' });
    await sql`select pg_advisory_unlock(73273887)`.execute(db);
    return true;
  });
  assert.ok(isHeld);
  assert.equal((await rotateSecrets(context, silent)).moved, 1);
});

test('rejects plain text in a column for encrypted secrets', async (t) => {
  const context = await openTestContext(t);
  await insertSealedRows(context, 1);
  await assert.rejects(
    sql`update connections set secret = 'BQD-in-clear'`.execute(context.db),
    /sealed_text/,
  );
});

test('reports a key file without a key', async (t) => {
  const context = await openTestContext(t);
  await writeFile(keyFileOf(context.config.dataDir), '\n');
  assert.throws(() => context.secrets.readKeysAgain(), /holds no key/);
});

test('logs the secrets that cannot be decrypted with another key, and continues', async (t) => {
  const before = await openTestContext(t);
  await insertSealedRows(before, 2);
  const logLines: string[] = [];
  const other = createSecrets(() => [Buffer.alloc(32, 9)]);
  const log = createLog('warn', { write: (line) => void logLines.push(line) });
  await warnOfLostKeys({ ...before, secrets: other, log });
  const id = before.secrets.keyIds()[0] ?? '';
  assert.match(logLines.join(), new RegExp(`2 stored secrets are encrypted with the key ${id}, which this`));
  await warnOfLostKeys({ ...before, log });
  assert.equal(logLines.length, 1);
});
