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

/** A decoder for the packets of one logical stream. */
export interface OggDecoder {
  /** Sample frames at the beginning that are no sound. */
  readonly preSkip: number;
  /**
   * Samples of these packets, one array an audio channel, in the order of WAV, and how many packets could not be
   * decoded. Throws when the decoder itself broke and is of no more use.
   * `isAfterLoss`: packets are missing before these.
   */
  decode(packets: Uint8Array[], isAfterLoss: boolean): Promise<{ block: Float32Array[]; badPackets: number }>;
  free(): void;
}

/** A codec that lives in Ogg. */
export interface OggFormat {
  /** As people call it. */
  readonly name: string;
  /** Packets at the beginning of a stream that describe it. */
  readonly headerPackets: number;
  /** Whether the first page of a sound may say, by a position less than its samples, that the sound begins later. */
  readonly maySkipByPosition: boolean;
  /** Whether this is the first packet of such a stream. */
  isSound(firstPacket: Uint8Array): boolean;
  /** @throws AudioFormatError on headers that cannot be true */
  describe(headers: readonly Uint8Array[]): AudioInfo;
  createDecoder(headers: readonly Uint8Array[]): Promise<OggDecoder>;
}

/** Longest stretch that is filled with silence where packets are lost, in seconds: beyond it the number lies. */
const MAX_GAP_SECONDS = 60;
const GAP_BLOCK = 1 << 15;
/** Streams one behind the other: beyond this it is no song and no evening of radio. */
const MAX_LINKS = 1000;
/** Decoders that may break on one stream before it is given up. */
const MAX_BROKEN_DECODERS = 8;

/** One logical stream: its headers, and what stood behind them on their last page. */
interface Link {
  info: AudioInfo;
  headers: Uint8Array[];
  rest: OggPacketGroup;
}

/**
 * Decodes the sound of an Ogg file without gaps and to its exact length, as the positions of its pages tell them.
 *
 * `pages → packets → decoder → less the pre-skip → less what lies behind the last position`. Pages whose checksum is
 * wrong are left out and become silence of their length, told as `damaged`. Chained streams of one shape are one
 * sound; from one of another shape on nothing is decoded, told as `other_stream`. `reader` stands at byte 0.
 * @throws AudioFormatError on headers that cannot be true, and where the decoder breaks again and again
 * @see RFC 3533, RFC 7845
 */
export async function openOgg(
  reader: ByteReader,
  format: OggFormat,
  readEnd?: ReadEnd,
): Promise<DecoderStream> {
  const packets = new OggPacketReader(reader, (first) => format.isSound(first));
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
  const sound = new OggSound(reader, packets, format, warnings);
  return { info: link.info, warnings, blocks: sound.decode(link, lastGranule) };
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

class OggSound {
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

  /** The sound of a stream, whose last position is `lastGranule` where it is known, and of those that follow it. */
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

  /** The stream that begins with `group`; null where it cannot go on with what was before. */
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

  /** A decoder for a stream; null where a later one in a chain has headers that make none. */
  async #createDecoder(link: Link, isFirst: boolean): Promise<OggDecoder | null> {
    try {
      return await this.#format.createDecoder(link.headers);
    } catch (error) {
      if (isFirst || !(error instanceof AudioFormatError)) throw error;
      this.#reportOtherStream();
      return null;
    }
  }

  /** One stream to its end; returns the beginning of the next, or null. */
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
    let brokenDecoders = 0;
    let isBroken = false;
    // Position of the first decoded sample, as the pages count; samples since then.
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
          // A trap inside the decoder: its memory can be trusted no longer.
          isBroken = ++brokenDecoders > MAX_BROKEN_DECODERS;
          if (isBroken) throw this.#broken();
          this.#badPackets++;
          hasLoss = true;
          // Nor can it be asked to free it; it goes as a whole.
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
      if (!isBroken) decoder.free();
    }
  }

  #broken(): AudioFormatError {
    return new AudioFormatError(
      'malformed',
      `${this.#format.name} must decode (its packets break the decoder)`,
    );
  }

  #reportOtherStream(): void {
    addWarning(
      this.#warnings,
      'other_stream',
      1,
      () =>
        'streams one behind the other must have one shape (the file goes on in another, which is left out)',
    );
  }

  #reportTruncation(): void {
    addWarning(this.#warnings, 'truncated', 0, () => 'the file ends before its sound does');
  }

  #report(): void {
    const places = Math.max(this.#packets.damagedPlaces, this.#losses) + this.#badPackets;
    if (places === 0) return;
    addWarning(
      this.#warnings,
      'damaged',
      places,
      (count) =>
        `an Ogg file must be whole pages throughout (${count} places are damaged and became silence)`,
    );
  }
}
