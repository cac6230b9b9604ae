import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStoredRule, toStoredRule } from './stored-grid-rule.ts';

test('reads stored rules and writes them back unchanged', () => {
  const even = { kind: 'even', bpm: 128, oneSeconds: 0.31, timeSignature: '4/4' };
  const following = { kind: 'following', one: 0.5, step: 2, offsetSeconds: -0.02, timeSignature: '3/4' };
  assert.deepEqual(parseStoredRule(even), {
    kind: 'even',
    bpm: 128,
    downbeatSeconds: 0.31,
    timeSignature: '4/4',
  });
  for (const stored of [even, following]) assert.deepEqual(toStoredRule(parseStoredRule(stored)), stored);
});

test('fills absent fields with defaults', () => {
  assert.deepEqual(parseStoredRule({ kind: 'following', one: 1 }), {
    kind: 'following',
    downbeatIndex: 1,
    step: 1,
    offsetSeconds: 0,
    timeSignature: '4/4',
  });
});

test('rejects what is no rule', () => {
  assert.throws(() => parseStoredRule({ kind: 'elastic' }));
});
