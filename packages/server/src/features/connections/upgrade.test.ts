import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { Context } from '../../platform/context.ts';
import { rotateSecrets } from '../../platform/crypto/rotate-secrets.ts';
import { countSecretsByKey } from '../../platform/crypto/sealed-columns.ts';
import { SecretText } from '../../platform/crypto/secret-text.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { clientConfig, withDatabase } from '../../platform/db/connection.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { testConnection } from '../../testing/test-postgres.ts';
import { openRefreshToken, openSecret } from './connection-secrets.ts';
import { findConnection } from './connections.store.ts';

const migrations = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const masterKey = (fill: number) => Buffer.alloc(32, fill);

/** Opens a database with the schema from before the connections table, dropped after the test. */
async function openEarlierDatabase(t: { after(work: () => Promise<void>): void }) {
  const admin = new Client(clientConfig(await testConnection(), 0));
  await admin.connect();
  const name = `connections_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await admin.query(`create database ${name}`);
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-migrations-'));
  t.after(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    await rm(folder, { recursive: true });
  });
  for (const file of await readdir(migrations))
    if (file < '0036') await cp(join(migrations, file), join(folder, file));
  const connection = withDatabase(await testConnection(), name);
  await migrate(connection, folder);
  return connection;
}

test('an upgrade moves catalog accounts and cloud keys into connections, where their secrets decrypt and rotate', async (t) => {
  const connection = await openEarlierDatabase(t);
  const before = createSecrets(() => [masterKey(1)]);
  const [account, key] = [newId(), newId()];
  const client = new Client(clientConfig(connection, 0));
  await client.connect();
  const { rows } = await client.query<{ id: number }>(
    "insert into users (email, created_at) values ('ada@example.org', now()) returning id",
  );
  const userId = rows[0]?.id ?? 0;
  const seal = (text: string, table: string, column: string, id: string) =>
    before.seal(new SecretText(text), { table, column, id, userId });
  await client.query(
    `insert into catalog_accounts
       (id, user_id, account_id, display_name, access_token, access_expires_at, refresh_token, linked_at)
     values ($1, $2, 'ada-at-the-catalog', 'Ada', $3, '2026-01-01', $4, '2025-01-01')`,
    [
      account,
      userId,
      seal('access', 'catalog_accounts', 'access_token', account),
      seal('refresh', 'catalog_accounts', 'refresh_token', account),
    ],
  );
  await client.query(
    `insert into cloud_keys (id, user_id, license_key, hint, created_at) values ($1, $2, $3, 'wxyz', '2025-02-02')`,
    [key, userId, seal('licence', 'cloud_keys', 'license_key', key)],
  );
  await client.end();
  assert.ok((await migrate(connection)).includes('0036-connections.sql'));

  const { db, close } = openDatabase({ connection, log: createLog('silent') });
  try {
    const catalog = await findConnection(db, userId, 'web_catalog');
    const cloud = await findConnection(db, userId, 'cloud_separation');
    assert.ok(catalog && cloud);
    assert.deepEqual(
      [catalog.id, catalog.account_id, catalog.label, catalog.needs_sign_in],
      [account, 'ada-at-the-catalog', 'Ada', false],
    );
    assert.deepEqual(
      [catalog.expires_at, catalog.connected_at],
      [new Date('2026-01-01'), new Date('2025-01-01')],
    );
    assert.deepEqual(
      [cloud.id, cloud.account_id, cloud.label, cloud.connected_at, cloud.expires_at],
      [key, null, 'wxyz', new Date('2025-02-02'), null],
    );
    const secrets = createSecrets(() => [masterKey(2), masterKey(1)]);
    const context = { db, secrets, config: { secretKey: 'from the environment' } } as unknown as Context;
    const opened = async () => {
      const [one, other] = [
        await findConnection(db, userId, 'web_catalog'),
        await findConnection(db, userId, 'cloud_separation'),
      ];
      assert.ok(one && other);
      return [openSecret(context, one), openRefreshToken(context, one), openSecret(context, other)].map(
        (secret) => secret?.reveal(),
      );
    };
    assert.deepEqual(await opened(), ['access', 'refresh', 'licence']);

    // A secret of another row or column decrypts neither in the new nor in the earlier table.
    assert.throws(() => openSecret(context, { ...catalog, secret: cloud.secret }), /another record/);
    assert.throws(
      () => openSecret(context, { ...catalog, secret: catalog.refresh_token ?? cloud.secret }),
      /another record/,
    );

    const rotated = await rotateSecrets(context, () => undefined);
    assert.deepEqual([rotated.moved, rotated.unreadable], [3, []]);
    assert.deepEqual([...(await countSecretsByKey(db))], [[rotated.keyId, 3]]);
    assert.deepEqual(await opened(), ['access', 'refresh', 'licence']);
  } finally {
    await close();
  }
});
