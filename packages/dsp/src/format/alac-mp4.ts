import { type AlacPacket, alacConfig, alacPacketFrames } from './encode-alac.ts';

/** Options of an MP4 with several tracks of Apple Lossless. */
export interface AlacMp4Options {
  readonly sampleRate: number;
  readonly bitDepth: 16 | 24;
  readonly trackCount: number;
  /** Contents of the box `stem`: see {@link stemBox}. */
  readonly stem: string;
  readonly tags: readonly Mp4Tag[];
}

/** A metadata tag of the file. */
export interface Mp4Tag {
  /** Four letters such as `©nam`; a longer name is a freeform tag, such as `initialkey`. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'jpeg' | 'png';
  /** Text in UTF-8, a number in two bytes, or an image. */
  readonly value: Uint8Array;
}

/** Writes an MP4: bytes to be appended, or to replace earlier ones at an offset. */
export interface AlacMp4 {
  /** Returns the first bytes of the file. */
  head(): Uint8Array;
  /** Returns the bytes of packets of a track, to be appended. */
  append(track: number, packets: readonly AlacPacket[]): Uint8Array;
  /** Returns the last bytes to be appended, and the replacements of earlier ones. */
  finish(): { tail: Uint8Array; patches: { offset: number; bytes: Uint8Array }[] };
}

interface Written {
  readonly sizes: number[];
  /** Offset and number of packets of each chunk. */
  readonly chunks: { readonly offset: number; readonly packets: number }[];
  frames: number;
  lastFrames: number;
}

const text = (word: string): Uint8Array => Uint8Array.from(word, (letter) => letter.charCodeAt(0));

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Encodes 32-bit numbers. */
function uint32s(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value);
  return new Uint8Array(view.buffer);
}

const box = (type: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = joined(parts);
  return joined([uint32s(8 + content.length), text(type), content]);
};

/** Creates a box with version and flags. */
const full = (type: string, versionAndFlags: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  box(type, uint32s(versionAndFlags), ...parts);

/** Splits a 64-bit number into two of 32 bits. */
const long = (value: number): readonly [number, number] => [Math.floor(value / 2 ** 32), value >>> 0];

const matrix = uint32s(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
/** `ftyp` and the header of `mdat` with a 64-bit size, which is patched at the end. */
const fileType = box('ftyp', text('M4A '), uint32s(0), text('M4A mp42isom'));
const mediaHeadBytes = 16;

/**
 * Creates a writer of an MP4 with several tracks of stereo Apple Lossless and a box `moov/udta/stem`.
 *
 * Only the first track is enabled, for players without support for stems. All audio precedes the tables, so that it can
 * be written as a stream.
 *
 * @see ISO/IEC 14496-12, and https://github.com/macosforge/alac (ALACMagicCookieDescription.txt)
 */
export function createAlacMp4(options: AlacMp4Options): AlacMp4 {
  const tracks = Array.from(
    { length: options.trackCount },
    (): Written => ({ sizes: [], chunks: [], frames: 0, lastFrames: alacPacketFrames }),
  );
  let offset = fileType.length + mediaHeadBytes;
  return {
    head: () => joined([fileType, uint32s(1), text('mdat'), uint32s(0, 0)]),
    append(track, packets) {
      const written = tracks[track];
      if (!written) throw new RangeError(`track must be below ${options.trackCount} (got ${track})`);
      written.chunks.push({ offset, packets: packets.length });
      for (const { bytes, frames } of packets) {
        written.sizes.push(bytes.length);
        written.frames += frames;
        written.lastFrames = frames;
        offset += bytes.length;
      }
      return joined(packets.map(({ bytes }) => bytes));
    },
    finish() {
      const [high, low] = long(offset - fileType.length);
      const duration = Math.max(...tracks.map(({ frames }) => frames));
      const moov = box(
        'moov',
        full(
          'mvhd',
          0,
          uint32s(0, 0, options.sampleRate, duration, 0x1_0000, 0x100_0000, 0, 0),
          matrix,
          uint32s(0, 0, 0, 0, 0, 0, tracks.length + 1),
        ),
        ...tracks.map((written, index) => trackBox(written, index, options)),
        box(
          'udta',
          box('stem', text(options.stem)),
          ...(options.tags.length > 0 ? [tagBox(options.tags)] : []),
        ),
      );
      return { tail: moov, patches: [{ offset: fileType.length + 8, bytes: uint32s(high, low) }] };
    },
  };
}

/**
 * Returns tags in the form of iTunes metadata.
 *
 * @see https://developer.apple.com/documentation/quicktime-file-format
 */
function tagBox(tags: readonly Mp4Tag[]): Uint8Array {
  const kinds = { text: 1, number: 21, jpeg: 13, png: 14 } as const;
  const items = tags.map(({ name, kind, value }) => {
    const data = box('data', uint32s(kinds[kind], 0), value);
    if (name.length === 4) return box(name, data);
    return box('----', full('mean', 0, text('com.apple.iTunes')), full('name', 0, text(name)), data);
  });
  const handler = full('hdlr', 0, uint32s(0), text('mdirappl'), uint32s(0, 0), text('\0'));
  return full('meta', 0, handler, box('ilst', ...items));
}

function trackBox(written: Written, index: number, { sampleRate, bitDepth }: AlacMp4Options): Uint8Array {
  const { sizes, chunks, frames, lastFrames } = written;
  // Flags: enabled, in movie, in preview. The stems are not enabled, so that a player without support for stems plays
  // the first track only.
  const flags = index === 0 ? 7 : 6;
  const entry = joined([
    uint32s(0, 1, 0, 0),
    // Two audio channels of this bit depth, and the rate as a fixed-point number.
    uint32s((2 << 16) | bitDepth, 0, (sampleRate << 16) >>> 0),
  ]);
  const config = alacConfig(sampleRate, bitDepth, Math.max(0, ...sizes.map((size) => size)));
  const whole = lastFrames === alacPacketFrames ? sizes.length : sizes.length - 1;
  const times = [
    ...(whole > 0 ? [whole, alacPacketFrames] : []),
    ...(whole < sizes.length ? [1, lastFrames] : []),
  ];
  // One row for each change of the number of packets per chunk.
  const runs = chunks.flatMap(({ packets }, i) =>
    i === 0 || packets !== chunks[i - 1]?.packets ? [i + 1, packets, 1] : [],
  );
  const tables = box(
    'stbl',
    full('stsd', 0, uint32s(1), box('alac', entry, box('alac', config))),
    full('stts', 0, uint32s(times.length / 2, ...times)),
    full('stsc', 0, uint32s(runs.length / 3, ...runs)),
    full('stsz', 0, uint32s(0, sizes.length, ...sizes)),
    full('co64', 0, uint32s(chunks.length, ...chunks.flatMap(({ offset }) => long(offset)))),
  );
  const media = box(
    'mdia',
    // Undetermined language: "und".
    full('mdhd', 0, uint32s(0, 0, sampleRate, frames, 0x55c4_0000)),
    full('hdlr', 0, uint32s(0), text('soun'), uint32s(0, 0, 0), text('SoundHandler\0')),
    box(
      'minf',
      full('smhd', 0, uint32s(0)),
      box('dinf', full('dref', 0, uint32s(1), full('url ', 1))),
      tables,
    ),
  );
  const head = full(
    'tkhd',
    flags,
    uint32s(0, 0, index + 1, 0, frames, 0, 0, 0, 0x100_0000),
    matrix,
    uint32s(0, 0),
  );
  return box('trak', head, media);
}

/** Name and colour of a stem in a STEM file. */
export interface NamedStem {
  readonly name: string;
  /** Colour as `#RRGGBB`. */
  readonly color: string;
}

/**
 * Returns the contents of the box `stem` for players of STEM files.
 *
 * They are the names and colours of the four stems, which are the tracks after the first, and settings of their
 * compressor and limiter, both off.
 *
 * @throws RangeError unless there are four
 */
export function stemBox(stems: readonly NamedStem[]): string {
  if (stems.length !== 4) throw new RangeError(`a STEM file must have 4 stems (got ${stems.length})`);
  return JSON.stringify({
    mastering_dsp: {
      compressor: {
        enabled: false,
        ratio: 3,
        output_gain: 0.5,
        release: 0.3,
        attack: 0.003,
        input_gain: 0.5,
        threshold: 0,
        hp_cutoff: 300,
        dry_wet: 50,
      },
      limiter: { enabled: false, release: 0.05, threshold: 0, ceiling: -0.35 },
    },
    version: 1,
    stems,
  });
}
