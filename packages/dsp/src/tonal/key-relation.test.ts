import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camelotOf, keyAt } from './camelot.ts';
import { boostRelations, compatibleRelations, keyRelation, keysRelatedTo } from './key-relation.ts';

/** Every key of the wheel by its code. */
const wheel = new Map(
  Array.from({ length: 12 }, (_, i) =>
    (['A', 'B'] as const).map((ring): [string, string] => [`${i + 1}${ring}`, keyAt(i + 1, ring)]),
  ).flat(),
);

const codes = (keys: readonly string[]) => keys.map(camelotOf).sort();

test('converts codes to keys and back', () => {
  for (const [code, key] of wheel) assert.equal(camelotOf(key), code);
});

test('relates A minor to its relative, its fifths and its energy boosts', () => {
  const expected = {
    'A minor': 'same',
    'C major': 'relative',
    'E minor': 'step_up',
    'D minor': 'step_down',
    'B minor': 'boost_tone',
    'A# minor': 'boost_semitone',
    'G minor': 'clash',
    'A major': 'clash',
    'G major': 'clash',
    'D# minor': 'clash',
  };
  for (const [key, relation] of Object.entries(expected))
    assert.equal(keyRelation('A minor', key), relation, key);
});

test('treats twelve and one as neighbours on the wheel', () => {
  assert.equal(keyRelation('E major', 'B major'), 'step_up');
  assert.equal(keyRelation('B major', 'E major'), 'step_down');
  assert.deepEqual(codes(keysRelatedTo('C# minor', compatibleRelations)), ['11A', '12A', '12B', '1A']);
  assert.deepEqual(codes(keysRelatedTo('C# minor', boostRelations)), ['2A', '7A']);
});

test('reaches the same relative positions from every key', () => {
  for (const [code, key] of wheel) {
    const number = Number.parseInt(code, 10);
    const ring = code.at(-1) ?? '';
    const at = (steps: number, where = ring) => `${((number - 1 + steps) % 12) + 1}${where}`;
    const near = [at(0), at(1), at(11), at(0, ring === 'A' ? 'B' : 'A')].sort();
    assert.deepEqual(codes(keysRelatedTo(key, compatibleRelations)), near, code);
    assert.deepEqual(codes(keysRelatedTo(key, boostRelations)), [at(2), at(7)].sort(), code);
  }
});

test('relates compatible keys symmetrically and returns unknown without a key', () => {
  for (const a of wheel.values()) {
    for (const b of wheel.values()) {
      const isNear = (x: string, y: string) =>
        (compatibleRelations as readonly string[]).includes(keyRelation(x, y));
      assert.equal(isNear(a, b), isNear(b, a));
    }
    assert.equal(keyRelation(a, ''), 'unknown');
    assert.equal(keyRelation('', a), 'unknown');
  }
  assert.deepEqual(keysRelatedTo('', compatibleRelations), []);
});
