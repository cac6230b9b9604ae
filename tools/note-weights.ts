// `node tools/note-weights.ts package/model` writes the weights of the note transcription network as text. It reads
// them from the package that `npm pack @spotify/basic-pitch@1.0.1 && tar xf spotify-basic-pitch-1.0.1.tgz` unpacks, and
// is needed only after a change of the network.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from './command.ts';

const modelFile = z.object({
  weightsManifest: z.tuple([
    z.object({
      paths: z.tuple([z.string()]),
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          dtype: z.enum(['float32', 'int32']),
        }),
      ),
    }),
  ]),
});

/** The weights in the order of `packages/dsp/native/notes.c`; the first three as kernels by bin. */
const order = [
  'cq_t2010v2_1/conv1d_2/ExpandDims_1',
  'cq_t2010v2_1/conv1d/ExpandDims_1',
  'cq_t2010v2_1/conv1d_1/ExpandDims_1',
  'cq_t2010v2_1/Sqrt',
  'batch_normalization/FusedBatchNormV3/Scaled',
  'batch_normalization/FusedBatchNormV3/Offset',
  'conv2d_1/Conv2D_weights',
  'conv2d_1/Conv2D_bn_offset',
  'contours-reduced/Conv2D/ReadVariableOp',
  'contours-reduced/BiasAdd/ReadVariableOp',
  'conv2d_2/Conv2D/ReadVariableOp',
  'conv2d_2/BiasAdd/ReadVariableOp',
  'conv2d_3/Conv2D/ReadVariableOp',
  'conv2d_3/BiasAdd/ReadVariableOp',
  'conv2d_4/Conv2D_weights',
  'conv2d_4/Conv2D_bn_offset',
  'conv2d_5/Conv2D/ReadVariableOp',
  'conv2d_5/BiasAdd/ReadVariableOp',
];

function readWeights(folder: string): Map<string, { shape: readonly number[]; values: Float32Array }> {
  const text = readFileSync(path.join(folder, 'model.json'), 'utf8');
  const [{ paths, weights }] = modelFile.parse(JSON.parse(text)).weightsManifest;
  const bytes = readFileSync(path.join(folder, paths[0]));
  const found = new Map<string, { shape: readonly number[]; values: Float32Array }>();
  let at = 0;
  for (const { name, shape } of weights) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length: count }, (_, index) => bytes.readFloatLE(at + 4 * index));
    found.set(name.replace('StatefulPartitionedCall/model_1/', ''), { shape, values });
    at += 4 * count;
  }
  return found;
}

/** Converts kernels that the model stores tap by tap to consecutive kernels. */
function byKernel(values: Float32Array, kernels: number): Float32Array {
  const taps = values.length / kernels;
  return values.map((_, index) => values[(index % taps) * kernels + Math.floor(index / taps)] ?? 0);
}

const folder = process.argv[2];
if (!folder) {
  process.stderr.write('usage: node tools/note-weights.ts package/model\n');
  process.exit(2);
}
const all = readWeights(folder);
const parts = order.map((name) => {
  const weight = all.get(name);
  if (!weight) throw new Error(`the model must have the weights "${name}"`);
  return name.startsWith('cq_t2010v2_1/conv1d')
    ? byKernel(weight.values, weight.shape.at(-1) ?? 1)
    : weight.values;
});
const bytes = Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer)));
const target = path.join(root, 'packages', 'dsp', 'src', 'notes', 'weights', 'basic-pitch.ts');
// The first lines of the file name its authors and their licence and are kept.
const [licence] = readFileSync(target, 'utf8').split('export const noteWeights');
writeFileSync(target, `${licence}export const noteWeights =\n  '${bytes.toString('base64')}';\n`);
process.stdout.write(`${bytes.length / 4} weights\n`);
