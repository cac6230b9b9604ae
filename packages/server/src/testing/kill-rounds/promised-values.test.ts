import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PromisedValues, type WriteOutcome } from './promised-values.ts';

const ending = (outcome: WriteOutcome) => () => Promise.resolve(outcome);

test('an acknowledged write must be found, and a lost one is reported', async () => {
  const promised = new PromisedValues();
  await promised.write('album', 'first', '', ending('acknowledged'));
  assert.equal(promised.observe('album', 'first'), null);
  await promised.write('album', 'second', '', ending('acknowledged'));
  assert.equal(promised.observe('album', 'first'), 'album is first and must be second');
});

test('a write without a reply may be found or not, and from then on stays what was found', async () => {
  for (const found of ['old', 'new']) {
    const promised = new PromisedValues();
    await promised.write('album', 'old', '', ending('acknowledged'));
    await promised.write('album', 'new', '', ending('unknown'));
    assert.equal(promised.observe('album', found), null);
    assert.equal(promised.isCertain('album', found), true);
    assert.notEqual(promised.observe('album', found === 'old' ? 'new' : 'old'), null);
  }
});

test('a refused write must not be found, and what nobody wrote is reported', async () => {
  const promised = new PromisedValues();
  await promised.write('cue', true, false, ending('refused'));
  assert.equal(promised.observe('cue', true), 'cue is true and must be false');
  assert.equal(promised.observe('other', true), 'other was never written and is true');
  assert.deepEqual(promised.counts, { acknowledged: 0, refused: 1, unknown: 0 });
});
