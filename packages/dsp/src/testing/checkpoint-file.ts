/** A tensor of a test checkpoint. */
export interface CheckpointTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Files of a checkpoint: its index and its values. */
export interface CheckpointFiles {
  readonly index: Uint8Array;
  readonly data: Uint8Array;
}

/** Entries per block, so that a table has several, and entries per full key. */
const entriesPerBlock = 20;
const entriesPerRestart = 16;

const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** Returns the masked CRC-32C, computed byte by byte. */
function maskedChecksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = ((table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)) >>> 0;
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function joined(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}

const fixed32 = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);
const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const message = (field: number, content: readonly number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
];

function block(entries: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const parts: (Uint8Array | number[])[] = [];
  const restarts: number[] = [];
  let size = 0;
  let before = '';
  for (const [i, [key, value]] of entries.entries()) {
    if (i % entriesPerRestart === 0) {
      restarts.push(size);
      before = '';
    }
    let shared = 0;
    while (shared < Math.min(before.length, key.length) && before[shared] === key[shared]) shared++;
    const own = Array.from({ length: key.length - shared }, (_, at) => key.charCodeAt(shared + at));
    const head = [...varint(shared), ...varint(own.length), ...varint(value.length), ...own];
    parts.push(head, value);
    size += head.length + value.length;
    before = key;
  }
  return joined([...parts, ...restarts.map(fixed32), fixed32(restarts.length)]);
}

/** Returns a sorted table without compression, with several blocks. */
export function writeSortedTable(entries: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const add = (content: Uint8Array): Uint8Array => {
    const checked = joined([content, [0]]);
    const handle = Uint8Array.from([...varint(size), ...varint(content.length)]);
    parts.push(checked, Uint8Array.from(fixed32(maskedChecksum(checked))));
    size += content.length + 5;
    return handle;
  };
  const index: [string, Uint8Array][] = [];
  for (let from = 0; from < entries.length; from += entriesPerBlock) {
    const some = entries.slice(from, from + entriesPerBlock);
    index.push([some.at(-1)?.[0] ?? '', add(block(some))]);
  }
  const meta = add(block([]));
  const handles = joined([meta, add(block(index))]);
  const magic = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];
  return joined([...parts, handles, new Uint8Array(40 - handles.length), magic]);
}

/**
 * Writes a TensorFlow checkpoint (tensor bundle of version 1) without using any code of its reader.
 *
 * @see tensorflow/core/util/tensor_bundle
 */
export function writeCheckpoint(tensors: readonly CheckpointTensor[]): CheckpointFiles {
  const sorted = tensors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const header = [...number(1, 1), ...message(3, number(1, 1))];
  const entries: [string, Uint8Array][] = [['', Uint8Array.from(header)]];
  const data: Uint8Array[] = [];
  let offset = 0;
  for (const { name, shape, values } of sorted) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const entry = [
      ...number(1, 1),
      ...message(
        2,
        shape.flatMap((size) => message(2, number(1, size))),
      ),
      ...number(4, offset),
      ...number(5, bytes.length),
      6 * 8 + 5,
      ...fixed32(maskedChecksum(bytes)),
    ];
    entries.push([name, Uint8Array.from(entry)]);
    data.push(bytes);
    offset += bytes.length;
  }
  return { index: writeSortedTable(entries), data: joined(data) };
}
