import { CheckpointError } from './checkpoint-error.ts';
import { crc32c, maskCrc32c } from './crc32c.ts';
import { readSortedTable } from './sorted-table.ts';
import { readWireFields } from './wire-reader.ts';

/** A tensor of a checkpoint: where its values are in the data file. */
export interface BundleTensor {
  readonly name: string;
  /** Number of the element type in TensorFlow; 1 is float32. */
  readonly type: number;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly bytes: number;
  /** Masked CRC-32C of the values. */
  readonly checksum: number;
}

/** Element type float32 in TensorFlow. */
const floatType = 1;
const mostDimensions = 8;

/**
 * Returns the tensors of a checkpoint by name, from its file `.index`.
 *
 * Supports bundles of version 1 with one data file and the least significant byte first.
 *
 * @param dataBytes size of the data file; every tensor must be inside
 * @throws CheckpointError if the index is damaged or not supported
 * @see tensorflow/core/protobuf/tensor_bundle.proto
 */
export function readBundleIndex(index: Uint8Array, dataBytes: number): ReadonlyMap<string, BundleTensor> {
  const [header, ...rest] = readSortedTable(index);
  if (header?.key !== '') throw new CheckpointError('the checkpoint must begin with its header');
  checkHeader(header.value);
  const tensors = rest.map(({ key, value }) => readTensor(key, value));
  for (const { name, type, shape, offset, bytes } of tensors) {
    if (offset + bytes > dataBytes)
      throw new CheckpointError(
        `the data file must contain ${name}, up to byte ${offset + bytes} (it has ${dataBytes} bytes)`,
      );
    const count = shape.reduce((product, size) => product * size, 1);
    if (type === floatType && count * 4 !== bytes)
      throw new CheckpointError(`${name} must have ${count * 4} bytes for its shape (got ${bytes})`);
  }
  return new Map(tensors.map((tensor) => [tensor.name, tensor]));
}

/** Checks the header: one shard, least significant byte first, a version that readers of version 1 understand. */
function checkHeader(message: Uint8Array): void {
  const header = { shards: 0, endianness: 0, minConsumer: 0 };
  for (const { field, kind, value } of readWireFields(message)) {
    if (field === 1 && kind === 'number') header.shards = value;
    if (field === 2 && kind === 'number') header.endianness = value;
    if (field === 3 && kind === 'bytes')
      for (const inner of readWireFields(value))
        if (inner.field === 2 && inner.kind === 'number') header.minConsumer = inner.value;
  }
  if (header.shards !== 1)
    throw new CheckpointError(`the checkpoint must have one data file (got ${header.shards})`);
  if (header.endianness !== 0)
    throw new CheckpointError('the checkpoint must store the least significant byte first');
  if (header.minConsumer > 1)
    throw new CheckpointError(`the checkpoint must be of version 1 (it needs ${header.minConsumer})`);
}

function readTensor(name: string, message: Uint8Array): BundleTensor {
  const tensor = { name, type: 0, shape: [] as number[], shard: 0, offset: 0, bytes: 0, checksum: 0 };
  for (const { field, kind, value } of readWireFields(message)) {
    if (kind === 'bytes') {
      if (field === 2) tensor.shape = readShape(name, value);
      if (field === 7) throw new CheckpointError(`${name} must not be divided into slices`);
    } else if (field === 1) tensor.type = value;
    else if (field === 3) tensor.shard = value;
    else if (field === 4) tensor.offset = value;
    else if (field === 5) tensor.bytes = value;
    else if (field === 6) tensor.checksum = value;
  }
  if (tensor.shard !== 0) throw new CheckpointError(`${name} must be in the first data file`);
  return tensor;
}

function readShape(name: string, message: Uint8Array): number[] {
  const shape: number[] = [];
  for (const { field, kind, value } of readWireFields(message)) {
    if (field === 3 && kind === 'number' && value !== 0)
      throw new CheckpointError(`${name} must have a known number of dimensions`);
    if (field !== 2 || kind !== 'bytes') continue;
    const size = readWireFields(value).find((inner) => inner.field === 1);
    shape.push(size?.kind === 'number' ? size.value : 0);
  }
  if (shape.length > mostDimensions)
    throw new CheckpointError(
      `${name} must have ${mostDimensions} dimensions or fewer (got ${shape.length})`,
    );
  return shape;
}

/**
 * Returns a tensor of a checkpoint, which must be float32 and have this shape.
 *
 * @throws CheckpointError naming the tensor and both shapes
 */
export function requireTensor(
  tensors: ReadonlyMap<string, BundleTensor>,
  name: string,
  shape: readonly number[],
): BundleTensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new CheckpointError(`the checkpoint must contain ${name}`);
  if (tensor.type !== floatType)
    throw new CheckpointError(`${name} must contain float32 values (got type ${tensor.type})`);
  if (tensor.shape.join() !== shape.join())
    throw new CheckpointError(`${name} must have the shape [${shape.join()}] (got [${tensor.shape.join()}])`);
  return tensor;
}

/**
 * Returns the values of a float32 tensor from its bytes in the data file.
 *
 * @throws CheckpointError if the checksum differs or a value is not finite
 */
export function readTensorValues({ name, checksum }: BundleTensor, bytes: Uint8Array): Float32Array {
  if (maskCrc32c(crc32c(bytes)) !== checksum)
    throw new CheckpointError(`the values of ${name} are damaged: their checksum differs`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(bytes.byteLength / 4);
  for (let i = 0; i < values.length; i++) {
    const value = view.getFloat32(i * 4, true);
    if (!Number.isFinite(value)) throw new CheckpointError(`the values of ${name} must be finite`);
    values[i] = value;
  }
  return values;
}
