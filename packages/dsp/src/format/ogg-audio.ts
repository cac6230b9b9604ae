import { AudioFormatError } from './audio-format-error.ts';
import {
  type AudioInfo,
  type AudioWarning,
  addWarning,
  type DecoderStream,
  type ReadEnd,
} from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { findLastGranule, OGG_END_BYTES } from './ogg-end.ts';
import { type OggPacket, type OggPacketGroup, OggPacketReader } from './ogg-packets.ts';

/** Decoder for the packets of one logical stream. */
export interface OggDecoder {
  /** Sample frames at the start that are not part of the audio. */
  readonly preSkip: number;
  /**
   * Decodes packets to one array per audio channel, in the channel order of WAV, and counts those that could not be
   * decoded.
   *
   * `isAfterLoss`: packets are missing before these.
   *
   * @throws Error if the decoder has crashed
   */
  decode(packets: Uint8Array[], isAfterLoss: boolean): Promise<{ block: Float32Array[]; badPackets: number }>;
  free(): void;
}

/** A codec whose streams are stored in Ogg. */
export interface OggFormat {
  /** Display name. */
  readonly name: string;
  /** Number of header packets at the start of a stream. */
  readonly headerPackets: number;
  /** Whether a position on the first page that is less than its samples means that the audio begins later. */
  readonly maySkipByPosition: boolean;
  /** Whether this is the first packet of such a stream. */
  isStreamHead(firstPacket: Uint8Array): boolean;
  /**
   * Returns the properties of the audio.
   *
   * @throws AudioFormatError on invalid headers
   */
  describe(headers: readonly Uint8Array[]): AudioInfo;
  createDecoder(headers: readonly Uint8Array[]): Promise<OggDecoder>;
}

/** Longest gap in seconds that is filled with silence for lost packets: a longer one is a damaged position. */
const MAX_GAP_SECONDS = 60;
const GAP_BLOCK = 1 << 15;
/** Largest number of chained streams. */
const MAX_LINKS = 1000;
/** Crashes of the decoder on one stream after which decoding ends. */
const MAX_CRASHES = 8;

/** One logical stream: its headers, and the audio packets that follow on their last page. */
interface Link {
  info: AudioInfo;
  headers: Uint8Array[];
  rest: OggPacketGroup;
}

/**
 * Decodes the audio of an Ogg file gapless and to its exact length, according to the positions of its pages.
 *
 * `pages → packets → decoder → remove pre-skip → remove samples after the last position`. Pages with a wrong checksum
 * become silence of their length, reported as `damaged`. Chained streams of the same sample rate and channels are
 * concatenated; decoding ends at one that differs, reported as `other_stream`. `reader` is at byte 0.
 * @throws AudioFormatError on invalid headers, and if the decoder crashes repeatedly
 * @see RFC 3533, RFC 7845
 */
export async function openOgg(
  reader: ByteReader,
  format: OggFormat,
  readEnd?: ReadEnd,
): Promise<DecoderStream> {
  const packets = new OggPacketReader(reader, (first) => format.isStreamHead(first));
  const group = await packets.next();
  if (group === null) {
    throw new AudioFormatError(
      packets.endsInsidePage ? 'truncated' : 'malformed',
      `an Ogg file must hold whole pages of ${format.name} (none was found)`,
    );
  }
  const link = await readLink(packets, format, group);
  const lastGranule = readEnd ? await findLastGranule(await readEnd(OGG_END_BYTES), group.serial) : null;
  const warnings: AudioWarning[] = [];
  const streams = new OggStreamDecoder(reader, packets, format, warnings);
  return { info: link.info, warnings, blocks: streams.decode(link, lastGranule) };
}

/** Reads the headers of the stream that begins with `group`. */
async function readLink(packets: OggPacketReader, format: OggFormat, group: OggPacketGroup): Promise<Link> {
  const headers: Uint8Array[] = [];
  let rest: OggPacketGroup | null = group;
  while (rest !== null) {
    const wanted: OggPacket[] = rest.packets.slice(0, format.headerPackets - headers.length);
    headers.push(...wanted.map((packet) => packet.bytes));
    if (headers.length === format.headerPackets) {
      const left: OggPacketGroup = { ...rest, isFirst: false, packets: rest.packets.slice(wanted.length) };
      return { info: format.describe(headers), headers, rest: left };
    }
    rest = rest.isLast ? null : await packets.next();
    if (rest !== null && (rest.isFirst || rest.isAfterLoss)) break;
  }
  throw new AudioFormatError(
    rest === null ? 'truncated' : 'malformed',
    `a stream of ${format.name} must begin with ${format.headerPackets} headers (got ${headers.length})`,
  );
}

class OggStreamDecoder {
  readonly #reader: ByteReader;
  readonly #packets: OggPacketReader;
  readonly #format: OggFormat;
  readonly #warnings: AudioWarning[];
  #losses = 0;
  #badPackets = 0;

  constructor(reader: ByteReader, packets: OggPacketReader, format: OggFormat, warnings: AudioWarning[]) {
    this.#reader = reader;
    this.#packets = packets;
    this.#format = format;
    this.#warnings = warnings;
  }

  /** Yields the audio of a stream, whose last position is `lastGranule` if known, and of those chained to it. */
  async *decode(first: Link, lastGranule: number | null): AsyncGenerator<Float32Array[], void, undefined> {
    try {
      let link: Link | null = first;
      for (let links = 1; link !== null; links++) {
        const next: OggPacketGroup | null = yield* this.#decodeLink(link, {
          isFirst: links === 1,
          lastGranule: links === 1 ? lastGranule : null,
        });
        link = next === null ? null : await this.#follow(first, next, links);
      }
      this.#report();
    } finally {
      await this.#reader.close();
    }
  }

  /** Returns the stream that begins with `group`; null if its format differs from the first. */
  async #follow(first: Link, group: OggPacketGroup, links: number): Promise<Link | null> {
    const link = await readLink(this.#packets, this.#format, group).catch((error: unknown) => {
      if (error instanceof AudioFormatError) return null;
      throw error;
    });
    const fits =
      link !== null &&
      links < MAX_LINKS &&
      link.info.sample_rate === first.info.sample_rate &&
      link.info.channels === first.info.channels;
    if (fits) return link;
    this.#reportOtherStream();
    return null;
  }

  /** Creates a decoder for a stream; returns null for a chained stream with invalid headers. */
  async #createDecoder(link: Link, isFirst: boolean): Promise<OggDecoder | null> {
    try {
      return await this.#format.createDecoder(link.headers);
    } catch (error) {
      if (isFirst || !(error instanceof AudioFormatError)) throw error;
      this.#reportOtherStream();
      return null;
    }
  }

  /** Yields one stream to its end; returns the first packets of the next, or null. */
  async *#decodeLink(
    link: Link,
    { isFirst, lastGranule }: { isFirst: boolean; lastGranule: number | null },
  ): AsyncGenerator<Float32Array[], OggPacketGroup | null, undefined> {
    const silence = (length: number) =>
      Array.from({ length: link.info.channels }, () => new Float32Array(length));
    const maxGap = MAX_GAP_SECONDS * link.info.sample_rate;
    const made = await this.#createDecoder(link, isFirst);
    if (made === null) return null;
    let decoder = made;
    let crashes = 0;
    let hasCrashed = false;
    // Position of the first decoded sample in the units of the pages; samples since then.
    let start: number | null = null;
    let decoded = 0;
    let skip = decoder.preSkip;
    let hasLoss = false;
    let hasEnded = false;
    const emit = (block: Float32Array[]): Float32Array[] => {
      const cut = Math.min(skip, block[0]?.length ?? 0);
      skip -= cut;
      return cut === 0 ? block : block.map((samples) => samples.subarray(cut));
    };
    try {
      for (let group: OggPacketGroup | null = link.rest; group !== null; group = await this.#packets.next()) {
        if (group.isFirst) {
          if (!hasEnded) this.#reportTruncation();
          return group;
        }
        if (hasEnded) continue;
        hasEnded = group.isLast;
        if (group.isAfterLoss) {
          this.#losses++;
          hasLoss = true;
        }
        const whole = group.packets.filter((packet) => packet.isWhole && packet.bytes.length > 0);
        const dropped = group.packets.length - whole.length;
        let block: Float32Array[] = silence(0);
        try {
          const packets = whole.map((packet) => packet.bytes);
          const made = await decoder.decode(packets, group.isAfterLoss);
          block = made.block;
          if (made.badPackets + dropped > 0) hasLoss = true;
          this.#badPackets += made.badPackets + dropped;
        } catch {
          // The decoder has crashed: its memory may be corrupt.
          hasCrashed = ++crashes > MAX_CRASHES;
          if (hasCrashed) throw this.#crashed();
          this.#badPackets++;
          hasLoss = true;
          // The instance is dropped without a call that would free parts of it.
          decoder = await this.#format.createDecoder(link.headers);
        }
        const length = block[0]?.length ?? 0;
        if (group.granule !== null) {
          if (start === null && group.packets.length > 0) {
            const before = group.granule - decoded - length;
            start = hasLoss ? 0 : Math.max(0, before);
            if (before < 0 && !group.isLast && !hasLoss && this.#format.maySkipByPosition) {
              skip += Math.min(-before, length);
              start = before;
            }
            if (lastGranule !== null) {
              const length = lastGranule - Math.max(0, start) - decoder.preSkip;
              link.info.declared_frames = Math.max(0, length);
            }
          }
          const end = group.granule - (start ?? 0);
          const gap = end - decoded - length;
          if (hasLoss && gap > 0 && gap <= maxGap) {
            for (let left = gap; left > 0; left -= GAP_BLOCK) {
              const part = emit(silence(Math.min(left, GAP_BLOCK)));
              if ((part[0]?.length ?? 0) > 0) yield part;
            }
            decoded += gap;
          }
          hasLoss = false;
          if (group.isLast && end < decoded + length) {
            block = block.map((samples) => samples.subarray(0, Math.max(0, end - decoded)));
          }
        }
        decoded += length;
        const part = emit(block);
        if ((part[0]?.length ?? 0) > 0) yield part;
      }
      if (!hasEnded) this.#reportTruncation();
      return null;
    } finally {
      if (!hasCrashed) decoder.free();
    }
  }

  #crashed(): AudioFormatError {
    return new AudioFormatError(
      'malformed',
      `${this.#format.name} must decode (its packets crash the decoder)`,
    );
  }

  #reportOtherStream(): void {
    addWarning(
      this.#warnings,
      'other_stream',
      1,
      () =>
        'chained streams must have the same sample rate and channels (the rest of the file differs and is left out)',
    );
  }

  #reportTruncation(): void {
    addWarning(this.#warnings, 'truncated', 0, () => 'the file ends before its audio does');
  }

  #report(): void {
    const regions = Math.max(this.#packets.damagedRegions, this.#losses) + this.#badPackets;
    if (regions === 0) return;
    addWarning(
      this.#warnings,
      'damaged',
      regions,
      (count) =>
        `an Ogg file must be whole pages throughout (${count} regions are damaged and became silence)`,
    );
  }
}
