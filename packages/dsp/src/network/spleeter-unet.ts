import type { GraphBuilder } from './graph-builder.ts';
import type { StoredTensor } from './onnx-file.ts';

/** Numbers of output channels of the six convolutions. */
const filters = [16, 32, 64, 128, 256, 512] as const;
const kernel = 5;
const epsilon = 1e-3;
/** 'same' padding of TensorFlow for stride 2 and an even size: one before, two after. */
const strided = { kernel_shape: [kernel, kernel], strides: [2, 2], pads: [1, 1, 2, 2] };

/** Differences between the published networks. */
export interface UnetVariant {
  /** `leaky`: LeakyReLU 0.2 in the encoder and ReLU in the decoder; `elu`: ELU in both. */
  readonly activation: 'leaky' | 'elu';
}

/** A tensor that a U-Net needs from its checkpoint. */
export interface UnetTensor {
  /** Name in the checkpoint. */
  readonly source: string;
  /** Shape in the checkpoint. */
  readonly sourceShape: readonly number[];
  /** Shape in the graph. */
  readonly dims: readonly number[];
  /** Axis of the checkpoint for each axis of the graph. */
  readonly axes: readonly number[];
}

const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}_${index}`);

/** Convolution of TensorFlow, height × width × inputs × outputs; ONNX has outputs × inputs × height × width. */
function convolution(name: string, inputs: number, outputs: number, size: number): UnetTensor[] {
  return [
    {
      source: `${name}/kernel`,
      sourceShape: [size, size, inputs, outputs],
      dims: [outputs, inputs, size, size],
      axes: [3, 2, 0, 1],
    },
    vector(`${name}/bias`, outputs),
  ];
}

/** Transposed convolution, height × width × outputs × inputs; ONNX has inputs × outputs × height × width. */
function transposed(name: string, inputs: number, outputs: number): UnetTensor[] {
  return [
    {
      source: `${name}/kernel`,
      sourceShape: [kernel, kernel, outputs, inputs],
      dims: [inputs, outputs, kernel, kernel],
      axes: [3, 2, 0, 1],
    },
    vector(`${name}/bias`, outputs),
  ];
}

function vector(source: string, size: number): UnetTensor {
  return { source, sourceShape: [size], dims: [size], axes: [0] };
}

function normalisation(name: string, size: number): UnetTensor[] {
  return ['gamma', 'beta', 'moving_mean', 'moving_variance'].map((part) => vector(`${name}/${part}`, size));
}

/** Layers of a U-Net with the tensors of each. */
interface UnetLayers {
  readonly down: readonly {
    readonly convolution: UnetTensor[];
    readonly normalisation: UnetTensor[] | null;
  }[];
  readonly up: readonly { readonly convolution: UnetTensor[]; readonly normalisation: UnetTensor[] }[];
  readonly last: UnetTensor[];
}

/** Returns the layers of U-Net `index` of a checkpoint, whose layers are numbered in the order of the stems. */
function layersOf(index: number): UnetLayers {
  const down = filters.map((outputs, i) => ({
    convolution: convolution(numbered('conv2d', index * 7 + i), filters[i - 1] ?? 2, outputs, kernel),
    // The normalised output of the sixth convolution is not used.
    normalisation: i === 5 ? null : normalisation(numbered('batch_normalization', index * 12 + i), outputs),
  }));
  const up = [256, 128, 64, 32, 16, 1].map((outputs, i) => ({
    convolution: transposed(
      numbered('conv2d_transpose', index * 6 + i),
      // From the second on, the input is joined with the output of a convolution.
      i === 0 ? 512 : 2 * (filters[5 - i] as number),
      outputs,
    ),
    normalisation: normalisation(numbered('batch_normalization', index * 12 + 6 + i), outputs),
  }));
  return { down, up, last: convolution(numbered('conv2d', index * 7 + 6), 1, 2, 4) };
}

/** Returns the tensors that U-Net `index` needs, in the order in which they are stored beside the graph. */
export function unetTensors(index: number): UnetTensor[] {
  const { down, up, last } = layersOf(index);
  return [
    ...down.flatMap((layer) => [...layer.convolution, ...(layer.normalisation ?? [])]),
    ...up.flatMap((layer) => [...layer.convolution, ...layer.normalisation]),
    ...last,
  ];
}

/**
 * Adds U-Net `index` to a graph and returns the name of its output before the sigmoid, `[1, 2, frames, bins]`.
 *
 * ```
 * magnitudes → 6 × (convolution → normalisation → activation)
 *            → 6 × (transposed convolution → activation → normalisation → joined with a convolution) → convolution
 * ```
 *
 * @param input name of the magnitudes, `[1, 2, frames, bins]`; both sizes must be multiples of 64
 * @param stored returns where the values of a tensor are
 * @see Jansson et al., "Singing Voice Separation with Deep U-Net Convolutional Networks", 2017
 * @see Hennequin et al., "Spleeter: a fast and efficient music source separation tool", 2020
 */
export function addUnet(
  graph: GraphBuilder,
  index: number,
  input: string,
  { activation }: UnetVariant,
  stored: (tensor: UnetTensor) => StoredTensor,
): string {
  const { down, up, last } = layersOf(index);
  const constants = (tensors: readonly UnetTensor[]): string[] =>
    tensors.map((tensor) => graph.stored(stored(tensor)));
  const activate = (value: string, isDecoder: boolean): string => {
    if (activation === 'elu') return graph.node('Elu', [value]);
    return isDecoder ? graph.node('Relu', [value]) : graph.node('LeakyRelu', [value], { alpha: 0.2 });
  };
  const normalise = (value: string, tensors: readonly UnetTensor[]): string =>
    graph.node('BatchNormalization', [value, ...constants(tensors)], { epsilon });

  const convolved: string[] = [];
  let value = input;
  for (const layer of down) {
    const output = graph.node('Conv', [value, ...constants(layer.convolution)], strided);
    convolved.push(output);
    value = layer.normalisation ? activate(normalise(output, layer.normalisation), false) : output;
  }
  for (const [i, layer] of up.entries()) {
    const output = graph.node('ConvTranspose', [value, ...constants(layer.convolution)], strided);
    value = normalise(activate(output, true), layer.normalisation);
    const skipped = convolved[4 - i];
    if (skipped !== undefined) value = graph.node('Concat', [skipped, value], { axis: 1 });
  }
  return graph.node('Conv', [value, ...constants(last)], {
    kernel_shape: [4, 4],
    dilations: [2, 2],
    pads: [3, 3, 3, 3],
  });
}
