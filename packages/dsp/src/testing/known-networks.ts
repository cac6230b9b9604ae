import {
  networkFrames,
  type OnnxFiles,
  type OnnxNode,
  type OnnxTensor,
  writeOnnx,
} from '../network/onnx-file.ts';

/** Differences of a test network from the default one. */
export interface KnownNetworkOptions {
  /** Name of the file beside the graph that contains the values. */
  readonly externalFile?: string;
  /** Number of additional convolution layers with 32 filters whose output is zero. */
  readonly heavyLayers?: number;
}

/**
 * Writes a test network of the contract with the transform inside.
 *
 * Each stem is the mixture, smoothed over three samples by 1/4, 1/2, 1/4, times its gain.
 */
export function writeInsideNetwork(gains: readonly number[], options: KnownNetworkOptions = {}): OnnxFiles {
  const stems = gains.length;
  const shape = [1, 2, networkFrames];
  const { nodes, tensors, output } = heavyLayers('audio', options.heavyLayers ?? 0);
  return writeOnnx({
    inputs: [{ name: 'audio', dims: shape }],
    outputs: [{ name: 'parts', dims: [1, stems, 2, networkFrames] }],
    nodes: [
      {
        op: 'Conv',
        inputs: ['audio', 'smooth'],
        outputs: ['smoothed'],
        attributes: { group: 2, pads: [1, 1], kernel_shape: [3] },
      },
      ...nodes,
      { op: 'Add', inputs: ['smoothed', output], outputs: ['sum'] },
      { op: 'Unsqueeze', inputs: ['sum', 'axes'], outputs: ['apart'] },
      { op: 'Mul', inputs: ['apart', 'gains'], outputs: ['parts'] },
    ],
    tensors: [
      { name: 'smooth', dims: [2, 1, 3], values: [0.25, 0.5, 0.25, 0.25, 0.5, 0.25] },
      { name: 'axes', dims: [1], values: [1], type: 'int64' },
      { name: 'gains', dims: [1, stems, 1, 1], values: gains, ...fileOf(options) },
      ...tensors,
    ],
  });
}

/**
 * Writes a test network of the contract with the transform outside.
 *
 * Each stem is the spectrogram times one gain below bin 100 and another above, plus the mixture times a third gain.
 */
export function writeOutsideNetwork(
  gains: readonly { readonly low: number; readonly high: number; readonly direct: number }[],
  options: KnownNetworkOptions = {},
): OnnxFiles {
  const stems = gains.length;
  const masks = gains.flatMap(({ low, high }) =>
    Array.from({ length: 2048 }, (_, bin) => (bin < 100 ? low : high)),
  );
  const { nodes, tensors, output } = heavyLayers('x_time', options.heavyLayers ?? 0);
  return writeOnnx({
    // Order and names differ from the default: neither may matter.
    inputs: [
      { name: 'x', dims: [1, 4, 2048, 336] },
      { name: 'x_time', dims: ['batch', 2, networkFrames] },
    ],
    outputs: [
      { name: 'time', dims: [1, stems, 2, networkFrames] },
      { name: 'spec', dims: [1, stems, 4, 2048, 336] },
    ],
    nodes: [
      { op: 'Unsqueeze', inputs: ['x', 'axes'], outputs: ['x1'] },
      { op: 'Mul', inputs: ['x1', 'masks'], outputs: ['spec'] },
      ...nodes,
      { op: 'Add', inputs: ['x_time', output], outputs: ['sum'] },
      { op: 'Unsqueeze', inputs: ['sum', 'axes'], outputs: ['t1'] },
      { op: 'Mul', inputs: ['t1', 'direct'], outputs: ['time'] },
    ],
    tensors: [
      { name: 'axes', dims: [1], values: [1], type: 'int64' },
      { name: 'masks', dims: [1, stems, 1, 2048, 1], values: masks, ...fileOf(options) },
      { name: 'direct', dims: [1, stems, 1, 1], values: gains.map(({ direct }) => direct) },
      ...tensors,
    ],
  });
}

function fileOf({ externalFile }: KnownNetworkOptions): { externalFile?: string } {
  return externalFile === undefined ? {} : { externalFile };
}

/** Creates a known amount of work whose result is zero: every layer but the last has weights other than 0. */
function heavyLayers(
  input: string,
  layers: number,
): { nodes: OnnxNode[]; tensors: OnnxTensor[]; output: string } {
  if (layers === 0) {
    const nodes = [{ op: 'Mul', inputs: [input, 'nothing'], outputs: ['silence'] }];
    return { nodes, tensors: [{ name: 'nothing', dims: [1], values: [0] }], output: 'silence' };
  }
  const nodes: OnnxNode[] = [];
  const tensors: OnnxTensor[] = [];
  let before = input;
  let widthBefore = 2;
  for (let layer = 0; layer < layers; layer++) {
    const isLast = layer === layers - 1;
    const width = isLast ? 2 : 32;
    const count = width * widthBefore * 5;
    const values = Float32Array.from({ length: count }, (_, i) => (isLast ? 0 : Math.sin(i + layer) / 16));
    tensors.push({ name: `w${layer}`, dims: [width, widthBefore, 5], values });
    nodes.push({
      op: 'Conv',
      inputs: [before, `w${layer}`],
      outputs: [`y${layer}`],
      attributes: { pads: [2, 2], kernel_shape: [5] },
    });
    before = `y${layer}`;
    widthBefore = width;
  }
  return { nodes, tensors, output: before };
}
