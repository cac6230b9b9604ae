import * as fc from 'fast-check';
import { repairOgg } from './ogg-file.ts';

/** Changes applied to a file; see `mutations`. */
export interface Mutation {
  anywhere: [number, number][];
  header: [number, number][];
  cut: [number, number];
  garbage: Uint8Array;
  keep: number;
  parts: number;
}

/**
 * Generates mutations: bytes overwritten anywhere and, more densely, in the header; a part removed; random bytes
 * inserted; the end truncated.
 */
export const mutations: fc.Arbitrary<Mutation> = fc.record({
  anywhere: fc.array(fc.tuple(fc.nat(1 << 20), fc.nat(255)), { maxLength: 30 }),
  header: fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 4 }),
  cut: fc.tuple(fc.nat(1 << 20), fc.nat(3000)),
  garbage: fc.uint8Array({ maxLength: 3000 }),
  keep: fc.double({ min: 0.01, max: 1, noNaN: true }),
  parts: fc.nat(63),
});

/**
 * Returns the mutated file. In half of the cases the checksums of Ogg pages are corrected, so that mutations reach the
 * decoder.
 */
export function mutateFile(
  file: Uint8Array,
  { anywhere, header, cut, garbage, keep, parts }: Mutation,
): Uint8Array {
  let bytes = file.slice();
  if ((parts & 1) !== 0) for (const [at, value] of anywhere) bytes[at % bytes.length] = value;
  if ((parts & 2) !== 0) for (const [at, value] of header) bytes[at] = value;
  const [from, length] = [cut[0] % bytes.length, cut[1]];
  if ((parts & 4) !== 0) bytes = joinParts(bytes.subarray(0, from), bytes.subarray(from + length));
  if ((parts & 8) !== 0) bytes = joinParts(bytes.subarray(0, from), garbage, bytes.subarray(from));
  if ((parts & 16) !== 0) bytes = bytes.slice(0, Math.ceil(bytes.length * keep));
  return (parts & 32) === 0 ? bytes : repairOgg(bytes);
}

function joinParts(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
