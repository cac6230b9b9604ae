import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlayed } from './played.state.ts';

test('restores played tracks only for the same login session', () => {
  const kept = JSON.stringify({ login: 'one', ids: ['a', 'b'] });
  assert.deepEqual([...parsePlayed(kept, 'one')], ['a', 'b']);
  assert.deepEqual([...parsePlayed(kept, 'two')], []);
});

test('ignores invalid stored values', () => {
  for (const text of [null, '', 'x', '{}', '[]', 'null', '{"login":"one","ids":7}', '{"login":"one"}'])
    assert.deepEqual([...parsePlayed(text, 'one')], [], String(text));
  assert.deepEqual([...parsePlayed('{"login":"one","ids":[1,"a",null]}', 'one')], ['a']);
});
