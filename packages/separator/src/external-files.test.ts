import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import { writeOnnx } from '@stem-studio/dsp/testing/onnx-file';
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

test('the files beside a graph are named once each; a graph that has all its values within has none', async () => {
  assert.deepEqual(await listExternalFiles(saved(graphWith([undefined]))), []);
  const names = ['b.onnx.data', undefined, 'a.data', 'b.onnx.data'];
  assert.deepEqual(await listExternalFiles(saved(graphWith(names))), ['a.data', 'b.onnx.data']);
});

test('a name that leads elsewhere is refused', async () => {
  for (const name of ['../secret', '/etc/passwd', 'a/b', 'a\\b', '..', 'a\0b'])
    await assert.rejects(listExternalFiles(saved(graphWith([name]))), /must lie beside it under plain names/);
});

test('what is no graph is refused with a sentence, however it is broken', async () => {
  await assert.rejects(listExternalFiles(join(folder, 'none')), /must be a file that exists/);
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
        assert.match(error.message, /must be an ONNX file|must lie beside it|must have 1 to/),
      );
    }),
    { numRuns: 300 },
  );
});
