import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLog } from '../log.ts';
import type { SealedText, SecretLocation } from './sealed-text.ts';
import { SecretText } from './secret-text.ts';
import { createSecrets } from './secrets.ts';

const location: SecretLocation = { table: 'providers', column: 'api_key', id: 'a', userId: 7 };
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const secret = new SecretText('sk-123, ключ');

test('decrypts a secret to its original, and encrypts it differently each time', () => {
  const secrets = createSecrets(() => [oldKey]);
  const [one, two] = [secrets.seal(secret, location), secrets.seal(secret, location)];
  assert.notEqual(one, two);
  assert.match(one, /^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22,}$/);
  for (const sealed of [one, two]) assert.equal(secrets.open(sealed, location).reveal(), secret.reveal());
  assert.equal(secrets.open(secrets.seal(new SecretText(''), location), location).reveal(), '');
});

test('decrypts a secret only for its own column, row and user', () => {
  const secrets = createSecrets(() => [oldKey]);
  const sealed = secrets.seal(secret, location);
  const elsewhere: Partial<SecretLocation>[] = [
    { table: 'other' },
    { column: 'other' },
    { id: 'b' },
    { userId: 8 },
    { table: 'providers","api_key', column: 'a' },
  ];
  for (const change of elsewhere)
    assert.throws(
      () => secrets.open(sealed, { ...location, ...change }),
      /was changed, or belongs to another/,
    );
});

test('detects a change of any character', () => {
  const secrets = createSecrets(() => [oldKey]);
  const sealed = secrets.seal(secret, location);
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed = (sealed.slice(0, at) + other + sealed.slice(at + 1)) as SealedText;
    // The last characters of base64url may contain unused bits.
    const bytes = (text: string) => Buffer.from(text.split('.')[3] ?? '', 'base64url');
    const isSame = at > sealed.lastIndexOf('.') && bytes(changed).equals(bytes(sealed));
    if (!isSame) assert.throws(() => secrets.open(changed, location), { name: 'SealedTextError' }, changed);
  }
  for (const text of ['', 'plain', 'v1.x.y.z', sealed.slice(0, -4), `${sealed}AAAA`, `v2${sealed.slice(2)}`])
    assert.throws(() => secrets.open(text as SealedText, location), { name: 'SealedTextError' }, text);
});

test('reports an unknown key by its id, with advice', () => {
  const sealed = createSecrets(() => [oldKey]).seal(secret, location);
  const id = createSecrets(() => [oldKey]).keyIds()[0] ?? '';
  assert.throws(
    () => createSecrets(() => [newKey]).open(sealed, location),
    (error: Error & { reason?: string }) => {
      assert.equal(error.reason, 'unknown key');
      assert.ok(error.message.includes(id) && error.message.includes('SECRET_KEY_PREVIOUS'), error.message);
      return true;
    },
  );
});

test('decrypts with an old key and encrypts with the current one', () => {
  const sealed = createSecrets(() => [oldKey]).seal(secret, location);
  const secrets = createSecrets(() => [newKey, oldKey]);
  assert.equal(secrets.open(sealed, location).reveal(), secret.reveal());
  assert.equal(secrets.seal(secret, location).split('.')[1], secrets.keyIds()[0]);
  assert.notEqual(sealed.split('.')[1], secrets.keyIds()[0]);
});

test('reads a key that another process has added, and keeps the signing key', () => {
  const keys = [oldKey];
  const secrets = createSecrets(() => keys);
  const signed = secrets.sign('x', 'text');
  keys.unshift(newKey);
  const sealed = createSecrets(() => [newKey]).seal(secret, location);
  assert.equal(secrets.open(sealed, location).reveal(), secret.reveal());
  assert.equal(secrets.verify('x', signed), 'text');
  assert.equal(secrets.sign('x', 'text'), signed);
});

test('rejects a signature of an old key', () => {
  const forged = createSecrets(() => [oldKey]).sign('x', 'text');
  assert.equal(createSecrets(() => [newKey, oldKey]).verify('x', forged), null);
});

test('hides a secret in text, JSON, inspected objects and log lines', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).info(
    { key: secret, deep: [{ secret }] },
    'x',
  );
  const shown = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    JSON.stringify(Object.entries(secret)),
    JSON.stringify(structuredClone({ secret })),
    ...lines,
  ];
  for (const text of shown) assert.doesNotMatch(text, /sk-123/);
  assert.equal(lines.length, 1);
});
