import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword } from './passwords.ts';

test('passwords are stored as argon2id with 19 MiB, two passes, one lane', async () => {
  const hash = await hashPassword('gravel ocean tuesday');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(hash, await hashPassword('gravel ocean tuesday'), 'each hash has a salt of its own');
});

test('only the same password matches, in any Unicode composition', async () => {
  const hash = await hashPassword('Zw\u00f6lf Boxk\u00e4mpfer');
  assert.equal(await isPassword(hash, 'Zwo\u0308lf Boxka\u0308mpfer'), true);
  assert.equal(await isPassword(hash, 'Zwolf Boxkampfer'), false);
});

test('without an account no password matches', async () => {
  assert.equal(await isPassword(null, ''), false);
  assert.equal(await isPassword(null, 'gravel ocean tuesday'), false);
});
