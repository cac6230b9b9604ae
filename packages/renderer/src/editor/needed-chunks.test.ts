import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editedProject } from '../testing/edit-rig.ts';
import { arrangeProject } from './arrangement.ts';
import { neededChunks } from './needed-chunks.ts';

const rateHz = 65_536;
const stems = ['vocals', 'drums'] as const;
const seconds = 8;
const sourceFrames = [seconds * rateHz, seconds * rateHz];

test('lists the chunks in the order in which they are played, each once', () => {
  const arrangement = arrangeProject(
    editedProject(stems, seconds, [
      { operation: 'copy', params: { start_ms: 5000, end_ms: 6000, stem_type: 'vocals' } },
      { operation: 'paste', params: { to_ms: 1000 } },
    ]),
    stems,
    rateHz,
  );
  const text = (from: number, to: number) =>
    neededChunks(arrangement, from * rateHz, to * rateHz, sourceFrames, rateHz).map(
      ({ source, index }) => `${stems[source]} ${index}`,
    );
  assert.deepEqual(text(0, 3), ['vocals 0', 'drums 0', 'vocals 5', 'drums 1', 'vocals 2', 'drums 2']);
  assert.deepEqual(text(5, 6), ['vocals 5', 'drums 5']);
  assert.deepEqual(text(20, 30), []);
  const all = text(0, 10);
  assert.equal(all.length, new Set(all).size);
  // The pasted second of the vocals hides their second 1.
  assert.equal(all.length, 2 * seconds - 1);
});
