import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraphBuilder } from '@stem-studio/dsp/network/graph-builder';
import { type OnnxTensor, writeOnnx } from '@stem-studio/dsp/network/onnx-file';
import {
  addUnet,
  type UnetTensor,
  type UnetVariant,
  unetTensors,
} from '@stem-studio/dsp/network/spleeter-unet';
import { loadNetworkRuntime } from './network-runtime.ts';

const size = 64;

/** An image in the layout of TensorFlow: height × width × channels. */
interface Image {
  readonly size: number;
  readonly channels: number;
  readonly values: Float64Array;
}

type Values = ReadonlyMap<string, Float32Array>;

/** Returns small random values for every tensor, in the layout of the checkpoint. */
function randomValues(): Map<string, Float32Array> {
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 1_073_741_823.5 - 1;
  };
  return new Map(
    unetTensors(1).map(({ source, sourceShape }) => {
      const count = sourceShape.reduce((product, one) => product * one, 1);
      const inputs = source.endsWith('/kernel')
        ? count / (sourceShape[source.includes('transpose') ? 2 : 3] ?? 1)
        : 1;
      const isPositive = /variance|gamma/.test(source);
      const scale = Math.sqrt(2 / inputs);
      return [
        source,
        Float32Array.from({ length: count }, () =>
          isPositive ? 1 + random() / 4 : random() * (inputs > 1 ? scale : 0.1),
        ),
      ];
    }),
  );
}

const at = (values: Values, name: string): Float32Array => values.get(name) as Float32Array;

/** 'same' convolution as TensorFlow defines it. */
function convolve(
  image: Image,
  values: Values,
  name: string,
  kernel: number,
  stride: number,
  dilation: number,
): Image {
  const [weights, bias] = [at(values, `${name}/kernel`), at(values, `${name}/bias`)];
  const outSize = image.size / stride;
  const reach = (kernel - 1) * dilation + 1;
  const before = Math.floor(Math.max(0, (outSize - 1) * stride + reach - image.size) / 2);
  const out = new Float64Array(outSize * outSize * bias.length);
  for (let y = 0; y < outSize; y++)
    for (let x = 0; x < outSize; x++)
      for (let o = 0; o < bias.length; o++) {
        let sum = bias[o] as number;
        for (let ky = 0; ky < kernel; ky++)
          for (let kx = 0; kx < kernel; kx++) {
            const [sy, sx] = [y * stride - before + ky * dilation, x * stride - before + kx * dilation];
            if (sy < 0 || sx < 0 || sy >= image.size || sx >= image.size) continue;
            for (let i = 0; i < image.channels; i++)
              sum +=
                (image.values[(sy * image.size + sx) * image.channels + i] as number) *
                (weights[((ky * kernel + kx) * image.channels + i) * bias.length + o] as number);
          }
        out[(y * outSize + x) * bias.length + o] = sum;
      }
  return { size: outSize, channels: bias.length, values: out };
}

/** Transposed 'same' convolution of stride 2: the gradient of the convolution above. */
function transpose(image: Image, values: Values, name: string): Image {
  const [weights, bias] = [at(values, `${name}/kernel`), at(values, `${name}/bias`)];
  const outSize = image.size * 2;
  const out = new Float64Array(outSize * outSize * bias.length);
  for (let i = 0; i < out.length; i++) out[i] = bias[i % bias.length] as number;
  for (let y = 0; y < image.size; y++)
    for (let x = 0; x < image.size; x++)
      for (let ky = 0; ky < 5; ky++)
        for (let kx = 0; kx < 5; kx++) {
          const [ty, tx] = [y * 2 - 1 + ky, x * 2 - 1 + kx];
          if (ty < 0 || tx < 0 || ty >= outSize || tx >= outSize) continue;
          for (let o = 0; o < bias.length; o++)
            for (let i = 0; i < image.channels; i++)
              out[(ty * outSize + tx) * bias.length + o] =
                (out[(ty * outSize + tx) * bias.length + o] as number) +
                (image.values[(y * image.size + x) * image.channels + i] as number) *
                  (weights[((ky * 5 + kx) * bias.length + o) * image.channels + i] as number);
        }
  return { size: outSize, channels: bias.length, values: out };
}

function normalise(image: Image, values: Values, name: string): Image {
  const part = (which: string, i: number): number =>
    at(values, `${name}/${which}`)[i % image.channels] as number;
  const out = image.values.map(
    (value, i) =>
      ((value - part('moving_mean', i)) / Math.sqrt(part('moving_variance', i) + 1e-3)) * part('gamma', i) +
      part('beta', i),
  );
  return { ...image, values: out };
}

const mapped = (image: Image, change: (value: number) => number): Image => ({
  ...image,
  values: image.values.map(change),
});

function joined(a: Image, b: Image): Image {
  const channels = a.channels + b.channels;
  const values = new Float64Array(a.size * a.size * channels);
  for (let i = 0; i < a.size * a.size; i++) {
    values.set(a.values.subarray(i * a.channels, (i + 1) * a.channels), i * channels);
    values.set(b.values.subarray(i * b.channels, (i + 1) * b.channels), i * channels + a.channels);
  }
  return { size: a.size, channels, values };
}

/** Second U-Net of a checkpoint, computed in double precision in the layout of TensorFlow. */
function plainUnet(input: Image, values: Values, { activation }: UnetVariant): Image {
  const elu = (value: number): number => (value > 0 ? value : Math.expm1(value));
  const down = activation === 'elu' ? elu : (value: number): number => (value > 0 ? value : 0.2 * value);
  const up = activation === 'elu' ? elu : (value: number): number => Math.max(0, value);
  const convolved: Image[] = [];
  let image = input;
  for (let i = 0; i < 6; i++) {
    image = convolve(image, values, `conv2d_${7 + i}`, 5, 2, 1);
    convolved.push(image);
    if (i < 5) image = mapped(normalise(image, values, `batch_normalization_${12 + i}`), down);
  }
  for (let i = 0; i < 6; i++) {
    image = mapped(transpose(image, values, `conv2d_transpose_${6 + i}`), up);
    image = normalise(image, values, `batch_normalization_${18 + i}`);
    const skipped = convolved[4 - i];
    if (skipped) image = joined(skipped, image);
  }
  return convolve(image, values, 'conv2d_13', 4, 1, 2);
}

/** Returns a constant of the graph with the values of a tensor of the checkpoint in the order of its axes. */
function inGraph({ source, sourceShape, dims, axes }: UnetTensor, values: Values): OnnxTensor {
  const from = at(values, source);
  const strides = sourceShape.map((_, i) =>
    sourceShape.slice(i + 1).reduce((product, one) => product * one, 1),
  );
  const moved = from.map((_, target) => {
    let rest = target;
    let index = 0;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      const length = dims[axis] as number;
      index += (rest % length) * (strides[axes[axis] as number] as number);
      rest = Math.floor(rest / length);
    }
    return from[index] as number;
  });
  return { name: source, dims, values: moved };
}

for (const activation of ['leaky', 'elu'] as const) {
  test(`a U-Net with ${activation} activations gives what a second implementation gives`, async () => {
    const values = randomValues();
    const input = Float64Array.from({ length: size * size * 2 }, (_, i) => Math.abs(Math.sin(i * i)));
    const expected = plainUnet({ size, channels: 2, values: input }, values, { activation });

    const graph = createGraphBuilder();
    const constants: OnnxTensor[] = [];
    const output = addUnet(graph, 1, 'input', { activation }, (tensor) => {
      constants.push(inGraph(tensor, values));
      return { name: tensor.source, dims: tensor.dims, stored: { file: '', offset: 0, bytes: 0 } };
    });
    const built = graph.build({ name: 'input', dims: [1, 2, size, size] }, output, [1, 2, size, size]);
    const names = new Set(constants.map(({ name }) => name));
    const tensors = [...built.tensors.filter(({ name }) => !names.has(name)), ...constants];
    const runtime = await loadNetworkRuntime();
    const session = await runtime.InferenceSession.create(writeOnnx({ ...built, tensors }).graph);
    const planar = new Float32Array(input.length);
    for (const [i, value] of input.entries()) planar[(i % 2) * size * size + Math.floor(i / 2)] = value;
    const found = await session.run({ input: new runtime.Tensor('float32', planar, [1, 2, size, size]) });
    const result = found[output]?.data as Float32Array;
    const peak = expected.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.01, `the result must not be trivial (peak ${peak})`);
    for (const [i, value] of expected.values.entries()) {
      const difference = Math.abs((result[(i % 2) * size * size + Math.floor(i / 2)] as number) - value);
      assert.ok(difference < 1e-4 * peak, `value ${i} differs by ${difference} of ${peak}`);
    }
    await session.release();
  });
}
