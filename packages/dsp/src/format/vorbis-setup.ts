import { AudioFormatError } from './audio-format-error.ts';
import { bitLength, VorbisBitReader } from './vorbis-bit-reader.ts';

/** Block length of each mode of a Vorbis stream: true for the long one. An audio packet begins with its mode. */
export type VorbisModes = readonly boolean[];

/** Bytes before the first field: the packet type and the letters "vorbis". */
const HEADER_BYTES = 7;
const CODEBOOK_SYNC = 0x564342;
/** Largest memory of the decoding tables in bytes; those of encoders take at most a tenth of it. */
const MAX_TABLE_BYTES = 10 << 20;

/**
 * Reads the setup header of a Vorbis stream from beginning to end.
 *
 * The decoding library provides neither the modes nor a reason for rejecting a header, and its memory does not grow.
 * Invalid setups and those that would not fit are therefore rejected here.
 * @throws AudioFormatError `malformed`
 * @see Vorbis I specification, 4.2.4
 */
export function parseVorbisSetup(setup: Uint8Array, channels: number): VorbisModes {
  const bits = new VorbisBitReader(setup, HEADER_BYTES);
  const codebooks = bits.read(8) + 1;
  let tableBytes = 0;
  for (let book = 0; book < codebooks; book++) {
    tableBytes += readCodebook(bits);
    if (tableBytes > MAX_TABLE_BYTES) throw malformed('its codebooks are too large');
  }
  readTimeTransforms(bits);
  const floors = readList(bits, readFloor);
  const residues = readList(bits, readResidue);
  const mappings = readList(bits, () => readMapping(bits, { channels, floors, residues }));
  const modes: boolean[] = [];
  readList(bits, () => modes.push(readMode(bits, mappings)));
  check(bits.readFlag() && !bits.isBeyondEnd, 'it ends too early');
  return modes;
}

/**
 * Returns whether `packet` is an audio packet of one of the modes; false for undecodable packets.
 *
 * @see Vorbis I specification, 4.3.1
 */
export function isVorbisAudio(packet: Uint8Array, modes: VorbisModes): boolean {
  const bits = new VorbisBitReader(packet);
  const isAudio = !bits.readFlag();
  const isLong = modes[bits.read(bitLength(modes.length - 1))];
  // A long block has two more bits, for the lengths of its neighbours.
  if (isLong === true) bits.skip(2);
  return isAudio && isLong !== undefined && !bits.isBeyondEnd;
}

function malformed(problem: string): AudioFormatError {
  return new AudioFormatError('malformed', `the Vorbis setup must be whole (${problem})`);
}

function check(isTrue: boolean, problem: string): void {
  if (!isTrue) throw malformed(problem);
}

/** Reads a list preceded by its length in 6 bits; returns the length. */
function readList(bits: VorbisBitReader, readItem: (bits: VorbisBitReader) => unknown): number {
  const count = bits.read(6) + 1;
  for (let item = 0; item < count; item++) {
    readItem(bits);
    check(!bits.isBeyondEnd, 'it ends too early');
  }
  return count;
}

/**
 * Reads a codebook; returns the size of its decoding tables in bytes.
 *
 * @see Vorbis I specification, 3.2.1
 */
function readCodebook(bits: VorbisBitReader): number {
  check(bits.read(24) === CODEBOOK_SYNC, 'a codebook does not begin with its mark');
  const dimensions = bits.read(16);
  const entries = bits.read(24);
  check(dimensions > 0 && entries > 0, 'a codebook is empty');
  const used = bits.readFlag() ? readOrderedLengths(bits, entries) : readLengths(bits, entries);
  const lookup = bits.read(4);
  check(lookup <= 2, 'a codebook has an unknown lookup type');
  if (lookup > 0) {
    bits.skip(64);
    const valueBits = bits.read(4) + 1;
    bits.skip(1);
    const values = lookup === 1 ? gridValues(entries, dimensions) : entries * dimensions;
    bits.skip(values * valueBits);
  }
  check(!bits.isBeyondEnd, 'it ends inside a codebook');
  return 8 * entries + used * (16 + (lookup > 0 ? 4 * dimensions : 0));
}

/** Reads the codeword lengths of a codebook, one per entry; returns the entries that have one. */
function readLengths(bits: VorbisBitReader, entries: number): number {
  const isSparse = bits.readFlag();
  let used = 0;
  for (let entry = 0; entry < entries; entry++) {
    if (isSparse && !bits.readFlag()) continue;
    bits.skip(5);
    used++;
    check(!bits.isBeyondEnd, 'it ends inside a codebook');
  }
  return used;
}

/** Reads ascending codeword lengths, each with the number of its entries. */
function readOrderedLengths(bits: VorbisBitReader, entries: number): number {
  let length = bits.read(5) + 1;
  for (let entry = 0; entry < entries; length++) {
    check(length <= 32 && !bits.isBeyondEnd, 'a codeword is longer than 32 bits');
    entry += bits.read(bitLength(entries - entry));
    check(entry <= entries, 'a codebook has more codewords than entries');
  }
  return entries;
}

/**
 * Returns the largest number of values per dimension with which `entries` entries form a grid.
 *
 * @see Vorbis I specification, 9.2.3
 */
function gridValues(entries: number, dimensions: number): number {
  let values = Math.floor(entries ** (1 / dimensions));
  while ((values + 1) ** dimensions <= entries) values++;
  while (values ** dimensions > entries) values--;
  return values;
}

function readTimeTransforms(bits: VorbisBitReader): void {
  readList(bits, () => check(bits.read(16) === 0, 'it has an unknown time transform'));
}

function readFloor(bits: VorbisBitReader): void {
  const type = bits.read(16);
  check(type <= 1, 'it has an unknown floor');
  if (type === 1) {
    readFloor1(bits);
    return;
  }
  bits.skip(8 + 16 + 16 + 6 + 8);
  bits.skip(8 * (bits.read(4) + 1));
}

/**
 * Reads a floor of type 1.
 *
 * @see Vorbis I specification, 7.2.2
 */
function readFloor1(bits: VorbisBitReader): void {
  const classes = Array.from({ length: bits.read(5) }, () => bits.read(4));
  const dimensions: number[] = [];
  for (let index = 0; index <= Math.max(-1, ...classes); index++) {
    dimensions.push(bits.read(3) + 1);
    const subclasses = bits.read(2);
    if (subclasses > 0) bits.skip(8);
    bits.skip(8 * 2 ** subclasses);
  }
  bits.skip(2);
  const rangeBits = bits.read(4);
  for (const index of classes) bits.skip(rangeBits * (dimensions[index] ?? 0));
}

/**
 * Reads a residue.
 *
 * @see Vorbis I specification, 8.6.1
 */
function readResidue(bits: VorbisBitReader): void {
  check(bits.read(16) <= 2, 'it has an unknown residue');
  bits.skip(24 + 24 + 24);
  const classifications = bits.read(6) + 1;
  bits.skip(8);
  let books = 0;
  for (let index = 0; index < classifications; index++) {
    const low = bits.read(3);
    const cascade = low + (bits.readFlag() ? 8 * bits.read(5) : 0);
    for (let left = cascade; left > 0; left >>= 1) books += left & 1;
  }
  bits.skip(8 * books);
}

/**
 * Reads a mapping.
 *
 * @see Vorbis I specification, 4.2.4, "Mappings"
 */
function readMapping(
  bits: VorbisBitReader,
  { channels, floors, residues }: { channels: number; floors: number; residues: number },
): void {
  check(bits.read(16) === 0, 'it has an unknown mapping');
  const submaps = bits.readFlag() ? bits.read(4) + 1 : 1;
  const couplings = bits.readFlag() ? bits.read(8) + 1 : 0;
  const channelBits = bitLength(channels - 1);
  for (let index = 0; index < couplings; index++) {
    const [magnitude, angle] = [bits.read(channelBits), bits.read(channelBits)];
    check(magnitude !== angle && Math.max(magnitude, angle) < channels, 'it couples channels that it lacks');
  }
  check(bits.read(2) === 0, 'its mapping has reserved bits');
  if (submaps > 1)
    for (let channel = 0; channel < channels; channel++)
      check(bits.read(4) < submaps, 'its mapping names a part that it lacks');
  for (let index = 0; index < submaps; index++) {
    bits.skip(8);
    check(bits.read(8) < floors && bits.read(8) < residues, 'its mapping names a part that it lacks');
  }
}

/** Reads a mode; returns whether its blocks are long. */
function readMode(bits: VorbisBitReader, mappings: number): boolean {
  const isLong = bits.readFlag();
  check(bits.read(16) === 0 && bits.read(16) === 0, 'it has an unknown window or transform');
  check(bits.read(8) < mappings, 'a mode names a mapping that it lacks');
  return isLong;
}
