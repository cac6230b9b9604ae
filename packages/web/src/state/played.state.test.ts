import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlayed } from './played.state.ts';

test('what was played is known for the login session it was played in, and for no other', () => {
  const kept = JSON.stringify({ login: 'one', ids: ['a', 'b'] });
  assert.deepEqual([...parsePlayed(kept, 'one')], ['a', 'b']);
  assert.deepEqual([...parsePlayed(kept, 'two')], []);
});

test('whatever else stands there says that nothing was played', () => {
  for (const text of [null, '', 'x', '{}', '[]', 'null', '{"login":"one","ids":7}', '{"login":"one"}'])
    assert.deepEqual([...parsePlayed(text, 'one')], [], String(text));
  assert.deepEqual([...parsePlayed('{"login":"one","ids":[1,"a",null]}', 'one')], ['a']);
});
