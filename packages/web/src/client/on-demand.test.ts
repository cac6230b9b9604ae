import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPendingParts, onDemand } from './on-demand.ts';

const rest = async () => undefined;

test('loads what was not needed so far, in order, with the parts that it brings, and each once', async () => {
  const loaded: string[] = [];
  const part = (name: string, brings?: () => void) =>
    onDemand(async () => {
      loaded.push(name);
      brings?.();
      return name;
    });
  const first = part('first');
  part('second', () => void part('third'));
  assert.equal(await first(), 'first');
  await loadPendingParts(rest);
  assert.deepEqual(loaded, ['first', 'second', 'third']);
  await loadPendingParts(rest);
  assert.equal(loaded.length, 3);
});

test('goes on from the part that failed when it is called again', async () => {
  let isUp = false;
  const loaded: string[] = [];
  onDemand(async () => void loaded.push('one'));
  onDemand(async () => {
    if (!isUp) throw new TypeError('Failed to fetch dynamically imported module');
    loaded.push('two');
  });
  await assert.rejects(loadPendingParts(rest), /dynamically imported/);
  isUp = true;
  await loadPendingParts(rest);
  assert.deepEqual(loaded, ['one', 'two']);
});
