/** A tensor of a weights file: its name, its shape and how its values are stored. */
interface TensorEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: 'int8' | 'float32';
}

const signature = 'STEMNET1';
const levels = 6;
/** Kernels with fewer weights are stored as 32-bit floats. */
const quantisedFrom = 10_000;

/** Returns the tensors of both networks in the order of the file. */
function expectedTensors(): TensorEntry[] {
  return ['vocals', 'accompaniment'].flatMap((stem) => {
    const entries: TensorEntry[] = [];
    const add = (name: string, shape: readonly number[]): void => {
      const isQuantised = name.endsWith('kernel') && shape.reduce((a, b) => a * b) >= quantisedFrom;
      entries.push({ name: `${stem}/${name}`, shape, type: isQuantised ? 'int8' : 'float32' });
    };
    const addLayer = (name: string, size: number, inputs: number, outputs: number): void => {
      add(`${name}/kernel`, [size, size, inputs, outputs]);
      add(`${name}/bias`, [outputs]);
    };
    const filters = Array.from({ length: levels }, (_, level) => 16 << level);
    for (const [level, outputs] of filters.entries())
      addLayer(`conv${level + 1}`, 5, filters[level - 1] ?? 2, outputs);
    addLayer('conv7', 4, 1, 2);
    const upFilters = Array.from({ length: levels }, (_, level) => (level < levels - 1 ? 256 >> level : 1));
    for (const [level, outputs] of upFilters.entries())
      addLayer(`up${level + 1}`, 5, level === 0 ? 512 : 512 >> (level - 1), outputs);
    for (const [i, channels] of [...filters, ...upFilters].entries()) {
      // The sixth convolution is not normalised.
      if (i === levels - 1) continue;
      add(`norm${i + 1}/gain`, [channels]);
      add(`norm${i + 1}/offset`, [channels]);
    }
    return entries;
  });
}

/** Returns the bytes that a tensor takes, padded to a multiple of 16. */
function bytesOf({ shape, type }: TensorEntry): number {
  const padded = (bytes: number): number => Math.ceil(bytes / 16) * 16;
  const count = shape.reduce((a, b) => a * b);
  const scales = (shape[0] ?? 0) * (shape[1] ?? 0) * (shape[3] ?? 0);
  return type === 'int8' ? padded(4 * scales) + padded(count) : padded(4 * count);
}

/**
 * Returns the data of a weights file written by `training/convert_spleeter.py`: all tensors, without the header.
 *
 * @throws RangeError if the file is truncated, altered or of another network
 */
export function readVoiceWeights(file: Uint8Array): Uint8Array {
  const refuse = (reason: string): never => {
    throw new RangeError(`the weights of the voice network are damaged: ${reason}`);
  };
  const text = (from: number, to: number): string => {
    let characters = '';
    for (const code of file.subarray(from, to)) characters += String.fromCharCode(code);
    return characters;
  };
  if (text(0, signature.length) !== signature) refuse(`the file must begin with ${signature}`);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const headerLength = file.length < 12 ? 0 : view.getUint32(8, true);
  if (headerLength === 0 || 12 + headerLength > file.length) refuse('the header is incomplete');
  const tensors = expectedTensors();
  const dataLength = tensors.reduce((sum, entry) => sum + bytesOf(entry), 0);
  const dataStart = Math.ceil((12 + headerLength) / 16) * 16;
  const checksum = checksumIn(text(12, 12 + headerLength), tensors);
  if (checksum === null) return refuse('the header must describe the two networks');
  if (file.length !== dataStart + dataLength)
    refuse(`the file must have ${dataStart + dataLength} bytes (got ${file.length})`);
  const data = file.subarray(dataStart);
  if (adler32(data) !== checksum) refuse('the checksum does not match');
  return data;
}

/** Returns the checksum that a header contains, or null unless it lists exactly these tensors. */
function checksumIn(header: string, tensors: readonly TensorEntry[]): number | null {
  const end = `,"tensors":${JSON.stringify(tensors)}}`;
  const start = '{"adler32":';
  const digits = header.slice(start.length, header.length - end.length);
  return header.startsWith(start) && header.endsWith(end) && /^\d{1,10}$/.test(digits)
    ? Number(digits)
    : null;
}

/** @see RFC 1950, ZLIB Compressed Data Format Specification, section 8 */
function adler32(bytes: Uint8Array): number {
  const modulus = 65_521;
  /** Bytes after which the sums must be reduced to fit into 32 bits. */
  const run = 5552;
  let a = 1;
  let b = 0;
  for (let from = 0; from < bytes.length; from += run) {
    const to = Math.min(bytes.length, from + run);
    for (let i = from; i < to; i++) {
      a += bytes[i] as number;
      b += a;
    }
    a %= modulus;
    b %= modulus;
  }
  return b * 65_536 + a;
}
