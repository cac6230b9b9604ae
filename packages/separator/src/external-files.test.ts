import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeOnnx } from '@stem-studio/dsp/network/onnx-file';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import * as fc from 'fast-check';
import { listExternalFiles } from './external-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'external-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function graphWith(names: readonly (string | undefined)[]): Uint8Array {
  return writeOnnx({
    inputs: [],
    outputs: [],
    nodes: [],
    tensors: names.map((externalFile, i) => ({
      name: `t${i}`,
      dims: [2],
      values: [1, 2],
      ...(externalFile === undefined ? {} : { externalFile }),
    })),
  }).graph;
}

function saved(content: Uint8Array): string {
  const path = join(folder, 'graph.onnx');
  writeFileSync(path, content);
  return path;
}

test('lists each external file once; a graph with all values inside has none', async () => {
  assert.deepEqual(await listExternalFiles(saved(graphWith([undefined]))), []);
  const names = ['b.onnx.data', undefined, 'a.data', 'b.onnx.data'];
  assert.deepEqual(await listExternalFiles(saved(graphWith(names))), ['a.data', 'b.onnx.data']);
});

test('refuses a name that leads out of the folder', async () => {
  for (const name of ['../secret', '/etc/passwd', 'a/b', 'a\\b', '..', 'a\0b'])
    await assert.rejects(listExternalFiles(saved(graphWith([name]))), /must be in its folder/);
});

test('refuses a file that is not a graph with a message, however it is damaged', async () => {
  await assert.rejects(listExternalFiles(join(folder, 'none')), /must be an existing file/);
  await assert.rejects(listExternalFiles(saved(Buffer.alloc(0))), /must have 1 to/);
  await assert.rejects(
    listExternalFiles(saved(Buffer.from('RIFF, which is no graph'))),
    /must be an ONNX file/,
  );
  const whole = graphWith(['a.data', undefined]);
  await fc.assert(
    fc.asyncProperty(mutations, async (mutation) => {
      const broken = mutateFile(whole, mutation);
      await listExternalFiles(saved(broken)).catch((error: Error) =>
        assert.match(error.message, /must be an ONNX file|must be in its folder|must have 1 to/),
      );
    }),
    { numRuns: 300 },
  );
});
