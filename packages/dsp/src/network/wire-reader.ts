import { CheckpointError } from './checkpoint-error.ts';

/** A field of a protocol buffer: a number, or the bytes of a text, message or packed list. */
export type WireField =
  | { readonly field: number; readonly kind: 'number'; readonly value: number }
  | { readonly field: number; readonly kind: 'bytes'; readonly value: Uint8Array };

/** Reads base-128 numbers and fields from bytes, from their beginning. */
export interface WireReader {
  readonly offset: number;
  /** Returns the next unsigned number of variable length, 0 to 2⁵³ − 1. */
  varint(): number;
  /** Returns the next `count` bytes, in the memory of the input. */
  bytes(count: number): Uint8Array;
}

/**
 * Creates a reader of bytes.
 *
 * Its methods throw a CheckpointError for a number of more than 53 bits, and for anything beyond the end.
 */
export function createWireReader(input: Uint8Array): WireReader {
  let at = 0;
  return {
    get offset() {
      return at;
    },
    varint() {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = input[at++];
        if (byte === undefined) throw new CheckpointError('a number is cut off');
        value += (byte & 0x7f) * factor;
        if (value > Number.MAX_SAFE_INTEGER) throw new CheckpointError('a number has more than 53 bits');
        if (byte < 0x80) return value;
      }
    },
    bytes(count) {
      if (at + count > input.length) throw new CheckpointError(`${count} bytes are announced, fewer follow`);
      at += count;
      return input.subarray(at - count, at);
    },
  };
}

/**
 * Returns the fields of a protocol buffer in order. Numbers of 64 bits fixed length are not supported.
 *
 * @throws CheckpointError if it is damaged
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function readWireFields(message: Uint8Array): WireField[] {
  const reader = createWireReader(message);
  const fields: WireField[] = [];
  while (reader.offset < message.length) {
    const tag = reader.varint();
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) fields.push({ field, kind: 'number', value: reader.varint() });
    else if (wire === 2) fields.push({ field, kind: 'bytes', value: reader.bytes(reader.varint()) });
    else if (wire === 5) fields.push({ field, kind: 'number', value: uint32At(reader.bytes(4), 0) });
    else throw new CheckpointError(`a field has the unsupported wire type ${wire}`);
  }
  return fields;
}

/** Returns an unsigned number of four bytes, least significant first. */
export function uint32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
}
