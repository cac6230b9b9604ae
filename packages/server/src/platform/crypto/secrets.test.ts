import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSecrets, openSecrets, randomToken } from './secrets.ts';

const settings = (dataDir: string) => ({ secretKey: null, previousSecretKeys: [], dataDir });

test('accepts a signature only for its text, purpose and key', () => {
  const secrets = createSecrets(() => [Buffer.alloc(32, 1)]);
  const signed = secrets.sign('csrf', 'a.b');
  assert.equal(secrets.verify('csrf', signed), 'a.b');
  assert.equal(secrets.verify('reset', signed), null);
  assert.equal(secrets.verify('csrf', `x${signed}`), null);
  assert.equal(secrets.verify('csrf', signed.slice(0, -1)), null);
  assert.equal(secrets.verify('csrf', ''), null);
  assert.equal(createSecrets(() => [Buffer.alloc(32, 2)]).verify('csrf', signed), null);
});

test('derives a separate, reproducible key of 32 bytes per purpose', () => {
  const secrets = createSecrets(() => [Buffer.alloc(32, 1)]);
  assert.equal(secrets.derive('a').length, 32);
  assert.deepEqual(secrets.derive('a'), createSecrets(() => [Buffer.alloc(32, 1)]).derive('a'));
  assert.notDeepEqual(secrets.derive('a'), secrets.derive('b'));
});

test('creates the key file once, for its owner only, also on concurrent starts', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const [one, two] = await Promise.all([openSecrets(settings(folder)), openSecrets(settings(folder))]);
  assert.equal(two.verify('x', one.sign('x', 'text')), 'text');
  const later = await openSecrets(settings(folder));
  assert.equal(later.verify('x', one.sign('x', 'text')), 'text');
  assert.equal((await stat(join(folder, 'secret.key'))).mode & 0o777, 0o600);
});

test('rejects a key that is too short with the rule', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-key-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret.key'), 'abc');
  await assert.rejects(openSecrets(settings(folder)), /at least 32 bytes \(got 2\)/);
});

test('creates a random token of 43 URL-safe characters from 32 bytes', () => {
  assert.match(randomToken(), /^[\w-]{43}$/);
  assert.notEqual(randomToken(), randomToken());
});
