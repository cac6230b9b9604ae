import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PromisedValues, type WriteOutcome } from './promised-values.ts';

const ending = (outcome: WriteOutcome) => () => Promise.resolve(outcome);

test('reports an acknowledged write that is lost', async () => {
  const promised = new PromisedValues();
  await promised.write('album', 'first', '', ending('acknowledged'));
  assert.equal(promised.observe('album', 'first'), null);
  await promised.write('album', 'second', '', ending('acknowledged'));
  assert.equal(promised.observe('album', 'first'), 'album is first and must be second');
});

test('accepts either value after a write without a reply, and then only the observed one', async () => {
  for (const found of ['old', 'new']) {
    const promised = new PromisedValues();
    await promised.write('album', 'old', '', ending('acknowledged'));
    await promised.write('album', 'new', '', ending('unknown'));
    assert.equal(promised.observe('album', found), null);
    assert.equal(promised.isCertain('album', found), true);
    assert.notEqual(promised.observe('album', found === 'old' ? 'new' : 'old'), null);
  }
});

test('reports a refused write that is found, and a value that was never written', async () => {
  const promised = new PromisedValues();
  await promised.write('cue', true, false, ending('refused'));
  assert.equal(promised.observe('cue', true), 'cue is true and must be false');
  assert.equal(promised.observe('other', true), 'other was never written and is true');
  assert.deepEqual(promised.counts, { acknowledged: 0, refused: 1, unknown: 0 });
});
