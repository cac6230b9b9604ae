import {
  type OnnxFiles,
  type OnnxNode,
  type OnnxTensor,
  writeOnnx,
} from '@stem-studio/dsp/network/onnx-file';

interface Entry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: 'int8' | 'float32';
}

/** Returns the tensors of `voice.weights` as 32-bit floats by name, with their shapes. */
function readTensors(file: Uint8Array): Map<string, { shape: readonly number[]; values: Float32Array }> {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const length = view.getUint32(8, true);
  const header = JSON.parse(Buffer.from(file.subarray(12, 12 + length)).toString()) as { tensors: Entry[] };
  let at = Math.ceil((12 + length) / 16) * 16;
  const take = (bytes: number): Uint8Array<ArrayBuffer> => {
    // A copy with a buffer of its own, at an aligned position.
    const part = new Uint8Array(file.subarray(at, at + bytes));
    at += Math.ceil(bytes / 16) * 16;
    return part;
  };
  const tensors = new Map<string, { shape: readonly number[]; values: Float32Array }>();
  for (const { name, shape, type } of header.tensors) {
    const count = shape.reduce((a, b) => a * b);
    const [rows = 1, columns = 1, inputs = 1, outputs = 1] = shape;
    if (type === 'float32') {
      tensors.set(name, { shape, values: new Float32Array(take(4 * count).buffer) });
      continue;
    }
    const scales = new Float32Array(take(4 * rows * columns * outputs).buffer);
    const values = Float32Array.from(new Int8Array(take(count).buffer));
    for (let i = 0; i < count; i++) {
      const tap = Math.floor(i / (inputs * outputs));
      values[i] = (values[i] as number) * (scales[tap * outputs + (i % outputs)] as number);
    }
    tensors.set(name, { shape, values });
  }
  return tensors;
}

/** Returns a kernel of taps × inputs × outputs as ONNX expects it: two dimensions of channels, then the taps. */
function turned(
  values: Float32Array,
  [rows = 1, columns = 1, inputs = 1, outputs = 1]: readonly number[],
  inputsFirst: boolean,
): Float32Array {
  const taps = rows * columns;
  const result = new Float32Array(values.length);
  for (let tap = 0; tap < taps; tap++)
    for (let i = 0; i < inputs; i++)
      for (let o = 0; o < outputs; o++) {
        const channel = inputsFirst ? i * outputs + o : o * inputs + i;
        result[channel * taps + tap] = values[(tap * inputs + i) * outputs + o] as number;
      }
  return result;
}

/**
 * Writes the voice network as an ONNX graph for comparison.
 *
 * Its input is `mixture`, its outputs are `voice` and `accompaniment`: magnitudes, 1 × 2 × 512 × 1024.
 *
 * @param weights contents of `voice.weights`
 */
export function writeVoiceGraph(weights: Uint8Array): OnnxFiles {
  const read = readTensors(weights);
  const tensors: OnnxTensor[] = [];
  const nodes: OnnxNode[] = [];
  const dims = [1, 2, 512, 1024];
  const addStem = (stem: string, output: string): void => {
    const get = (name: string): { shape: readonly number[]; values: Float32Array } => {
      const tensor = read.get(`${stem}/${name}`);
      if (!tensor) throw new Error(`the weights must have the tensor ${stem}/${name}`);
      return tensor;
    };
    const constant = (name: string, shape: readonly number[], values: Float32Array): string => {
      tensors.push({ name: `${stem}/${name}`, dims: shape, values });
      return `${stem}/${name}`;
    };
    const node = (
      op: string,
      name: string,
      inputs: string[],
      attributes?: NonNullable<OnnxNode['attributes']>,
    ): string => {
      nodes.push({ op, inputs, outputs: [`${stem}:${name}`], ...(attributes ? { attributes } : {}) });
      return `${stem}:${name}`;
    };
    const convolve = (
      layer: string,
      input: string,
      op: 'Conv' | 'ConvTranspose',
      attributes: NonNullable<OnnxNode['attributes']>,
    ): string => {
      const { shape, values } = get(`${layer}/kernel`);
      const [rows = 1, columns = 1, inputs = 1, outputs = 1] = shape;
      const isTransposed = op === 'ConvTranspose';
      const channels = isTransposed ? [inputs, outputs] : [outputs, inputs];
      const kernel = constant(
        `${layer}/kernel`,
        [...channels, rows, columns],
        turned(values, shape, isTransposed),
      );
      const bias = constant(`${layer}/bias`, [outputs], get(`${layer}/bias`).values);
      return node(op, layer, [input, kernel, bias], attributes);
    };
    const normalise = (number: number, input: string): string => {
      const name = `norm${number}`;
      const [gain, offset] = ['gain', 'offset'].map((part) => {
        const { values } = get(`${name}/${part}`);
        return constant(`${name}/${part}`, [1, values.length, 1, 1], values);
      }) as [string, string];
      return node('Add', `${name}b`, [node('Mul', `${name}a`, [input, gain]), offset]);
    };
    const strided = { strides: [2, 2], pads: [1, 1, 2, 2], kernel_shape: [5, 5] };
    const skips: string[] = [];
    let current = 'mixture';
    for (let level = 1; level <= 6; level++) {
      current = convolve(`conv${level}`, current, 'Conv', strided);
      if (level === 6) break;
      skips.push(current);
      current = node('LeakyRelu', `leaky${level}`, [normalise(level, current)], { alpha: 0.2 });
    }
    for (let level = 1; level <= 6; level++) {
      const raised = convolve(`up${level}`, current, 'ConvTranspose', strided);
      current = normalise(6 + level, node('Relu', `relu${level}`, [raised]));
      const skip = skips.pop();
      if (skip !== undefined) current = node('Concat', `both${level}`, [skip, current], { axis: 1 });
    }
    const gains = convolve('conv7', current, 'Conv', {
      dilations: [2, 2],
      pads: [3, 3, 3, 3],
      kernel_shape: [4, 4],
    });
    const gain = node('Sigmoid', 'gain', [gains]);
    nodes.push({ op: 'Mul', inputs: [gain, 'mixture'], outputs: [output] });
  };
  addStem('vocals', 'voice');
  addStem('accompaniment', 'accompaniment');
  return writeOnnx({
    inputs: [{ name: 'mixture', dims }],
    outputs: [
      { name: 'voice', dims },
      { name: 'accompaniment', dims },
    ],
    nodes,
    tensors,
  });
}
