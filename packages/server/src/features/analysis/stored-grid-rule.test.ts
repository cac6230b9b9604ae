import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StoredGridRule, storedGridRule, toGridRule, toStoredRule } from './stored-grid-rule.ts';

/** Parses a stored rule that must be readable. */
function parse(stored: unknown): StoredGridRule {
  const parsed = storedGridRule.parse(stored);
  assert.ok(parsed.kind === 'readable');
  return parsed.value;
}

test('reads stored rules and writes them back unchanged', () => {
  const even = { kind: 'even', bpm: 128, oneSeconds: 0.31, timeSignature: '4/4' };
  const following = { kind: 'following', one: 0.5, step: 2, offsetSeconds: -0.02, timeSignature: '3/4' };
  assert.deepEqual(toGridRule(parse(even)), {
    kind: 'even',
    bpm: 128,
    downbeatSeconds: 0.31,
    timeSignature: '4/4',
  });
  for (const stored of [even, following]) assert.deepEqual(toStoredRule(toGridRule(parse(stored))), stored);
});

test('fills absent fields with defaults', () => {
  assert.deepEqual(toGridRule(parse({ kind: 'following', one: 1 })), {
    kind: 'following',
    downbeatIndex: 1,
    step: 1,
    offsetSeconds: 0,
    timeSignature: '4/4',
  });
});

test('rejects a value that is no rule', () => {
  assert.equal(storedGridRule.parse({ kind: 'elastic' }).kind, 'unreadable');
});
