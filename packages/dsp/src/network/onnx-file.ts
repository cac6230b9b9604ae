/** Length of the input segment of the networks in frames. */
export const networkFrames = 343_980;

/** A constant of a graph. */
export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: readonly number[] | Float32Array;
  /** `int64` for shapes and axes. */
  readonly type?: 'float32' | 'int64';
  /** Name of the file beside the graph that contains the values; default inside the graph. */
  readonly externalFile?: string;
}

/** A constant whose float32 values are written to a file beside the graph by the caller. */
export interface StoredTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly stored: {
    readonly file: string;
    /** Position of the first value in bytes. */
    readonly offset: number;
    readonly bytes: number;
  };
}

/** One operation of a graph. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** Input or output of a graph; a dimension given as text is variable. */
export interface OnnxValue {
  readonly name: string;
  readonly dims: readonly (number | string)[];
  readonly type?: 'float32' | 'float16';
}

/** A network as plain data. */
export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly (OnnxTensor | StoredTensor)[];
}

/** An encoded network: its file, and the external files of values by name. */
export interface OnnxFiles {
  readonly graph: Uint8Array;
  readonly beside: Readonly<Record<string, Uint8Array>>;
}

const elementTypes = { float32: 1, int64: 7, float16: 10 } as const;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const more = rest > 0x7fn;
    bytes.push(Number(rest & 0x7fn) | (more ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

const whole = (field: number, value: number): Uint8Array => joined([varint(field << 3), varint(value)]);

function bytes(field: number, value: Uint8Array | string): Uint8Array {
  const content =
    typeof value === 'string' ? Uint8Array.from(value, (letter) => letter.charCodeAt(0)) : value;
  return joined([varint((field << 3) | 2), varint(content.length), content]);
}

const message = (field: number, ...parts: readonly Uint8Array[]): Uint8Array => bytes(field, joined(parts));

function single(field: number, value: number): Uint8Array {
  const content = new DataView(new ArrayBuffer(4));
  content.setFloat32(0, value, true);
  return joined([varint((field << 3) | 5), new Uint8Array(content.buffer)]);
}

function valueInfo(field: number, { name, dims, type = 'float32' }: OnnxValue): Uint8Array {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? whole(1, dim) : bytes(2, dim)));
  return message(
    field,
    bytes(1, name),
    message(2, message(1, whole(1, elementTypes[type]), message(2, ...shape))),
  );
}

function attribute([name, value]: [string, number | readonly number[]]): Uint8Array {
  if (typeof value !== 'number')
    return message(5, bytes(1, name), ...value.map((each) => whole(8, each)), whole(20, 7));
  const isWhole = Number.isInteger(value);
  return message(5, bytes(1, name), isWhole ? whole(3, value) : single(2, value), whole(20, isWhole ? 2 : 1));
}

function rawValues({ values, type = 'float32' }: OnnxTensor): Uint8Array {
  const all = type === 'int64' ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
  return new Uint8Array(all.buffer);
}

/** Encodes where the values of a constant are in a file beside the graph. */
function external(location: string, offset: number, length: number): Uint8Array[] {
  const entries = Object.entries({ location, offset: String(offset), length: String(length) });
  return [...entries.map(([key, value]) => message(13, bytes(1, key), bytes(2, value))), whole(14, 1)];
}

/**
 * Encodes a network as an ONNX file (IR 8, operators of version 17).
 *
 * It covers the part of the format that the graphs of this project need: float32 and int64 constants, attributes that
 * are numbers or lists of whole numbers.
 *
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export function writeOnnx(graph: OnnxGraph): OnnxFiles {
  const beside: Record<string, Uint8Array> = {};
  const tensors = graph.tensors.map((tensor) => {
    const { name, dims } = tensor;
    const type = 'stored' in tensor ? 'float32' : (tensor.type ?? 'float32');
    const head = [...dims.map((dim) => whole(1, dim)), whole(2, elementTypes[type]), bytes(8, name)];
    if ('stored' in tensor) {
      const { file, offset, bytes: length } = tensor.stored;
      return message(5, ...head, ...external(file, offset, length));
    }
    const raw = rawValues(tensor);
    const { externalFile } = tensor;
    if (externalFile === undefined) return message(5, ...head, bytes(9, raw));
    const earlier = beside[externalFile] ?? new Uint8Array(0);
    beside[externalFile] = joined([earlier, raw]);
    return message(5, ...head, ...external(externalFile, earlier.length, raw.length));
  });
  const nodes = graph.nodes.map(({ op, inputs, outputs, attributes = {} }) =>
    message(
      1,
      ...inputs.map((name) => bytes(1, name)),
      ...outputs.map((name) => bytes(2, name)),
      bytes(4, op),
      ...Object.entries(attributes).map(attribute),
    ),
  );
  const content = message(
    7,
    ...nodes,
    bytes(2, 'graph'),
    ...tensors,
    ...graph.inputs.map((value) => valueInfo(11, value)),
    ...graph.outputs.map((value) => valueInfo(12, value)),
  );
  return { graph: joined([whole(1, 8), message(8, whole(2, 17)), content]), beside };
}
