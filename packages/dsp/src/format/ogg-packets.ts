import { joinBytes } from './audio-encoder.ts';
import type { ByteReader } from './byte-reader.ts';
import { type OggPage, OggPageReader } from './ogg-pages.ts';

/** The packets that end on one page of one logical stream. */
export interface OggPacketGroup {
  /** Number of the logical stream. */
  serial: number;
  /** Whether the first packet of the group begins a logical stream. */
  isFirst: boolean;
  /** Whether the page is marked as the last of its logical stream. */
  isLast: boolean;
  packets: OggPacket[];
  /** Position at the end of the last packet, in the unit of the codec; null if unknown. */
  granule: number | null;
  /** Whether packets before these were lost. */
  isAfterLoss: boolean;
}

/** One packet. Only the start of a packet longer than any audio packet is kept, with `isWhole` false. */
export interface OggPacket {
  bytes: Uint8Array;
  isWhole: boolean;
}

/** Longer packets are comments with images; the input buffer of the Vorbis library has this length. */
const MAX_PACKET_BYTES = 1 << 17;

/**
 * Reads the audio packets of an Ogg file page by page: one logical stream, or several chained ones. Multiplexed streams
 * of other codecs are skipped.
 *
 * `isStreamHead` returns whether the first packet of a logical stream is that of the wanted codec.
 * @see RFC 3533
 */
export class OggPacketReader {
  readonly #pages: OggPageReader;
  readonly #isStreamHead: (firstPacket: Uint8Array) => boolean;
  #serial: number | null = null;
  #nextSequence = 0;
  /** Whether only first pages were read so far: those of multiplexed streams precede all other pages. */
  #isOpening = false;
  #lostBefore = false;
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(reader: ByteReader, isStreamHead: (firstPacket: Uint8Array) => boolean) {
    this.#pages = new OggPageReader(reader);
    this.#isStreamHead = isStreamHead;
  }

  /** Regions of the file that are not whole pages. */
  get damagedRegions(): number {
    return this.#pages.damagedRegions;
  }

  /** Whether the file ended inside a page. */
  get endsInsidePage(): boolean {
    return this.#pages.endsInsidePage;
  }

  /** Returns the packets of the next page on which a packet or the stream ends; null at the end of the file. */
  async next(): Promise<OggPacketGroup | null> {
    for (;;) {
      const page = await this.#pages.next();
      if (page === null) return null;
      const isFirst = page.isFirst && this.#begins(page);
      if (!isFirst && page.serial !== this.#serial) {
        if (!page.isFirst) this.#isOpening = false;
        continue;
      }
      if (!page.isFirst) this.#isOpening = false;
      const packets = this.#packetsOf(page);
      if (packets.length === 0 && !page.isLast) continue;
      const isAfterLoss = this.#lostBefore;
      this.#lostBefore = false;
      if (page.isLast) this.#parts = [];
      return {
        serial: page.serial,
        isFirst,
        isLast: page.isLast,
        packets,
        granule: page.granule,
        isAfterLoss,
      };
    }
  }

  /** Returns whether the first page of a stream begins the next audio stream, which is then followed. */
  #begins(page: OggPage): boolean {
    if (this.#isOpening || !this.#isStreamHead(page.body)) return false;
    this.#serial = page.serial;
    this.#nextSequence = page.sequence;
    this.#isOpening = true;
    this.#lostBefore = false;
    this.#dropParts();
    return true;
  }

  #packetsOf(page: OggPage): OggPacket[] {
    if (page.sequence !== this.#nextSequence) {
      this.#lostBefore = true;
      this.#dropParts();
    }
    this.#nextSequence = (page.sequence + 1) >>> 0;
    const hasParts = this.#parts.length > 0;
    // Whether the page continues a packet whose start is lost, or does not continue the pending packet.
    let isHeadless = page.isContinued && !hasParts;
    if (hasParts && !page.isContinued) this.#dropParts();
    if (isHeadless || (hasParts && !page.isContinued)) this.#lostBefore = true;

    const packets: OggPacket[] = [];
    let from = 0;
    let to = 0;
    for (const [index, piece] of page.lacing.entries()) {
      to += piece;
      const isEnd = piece < 255;
      if (!isEnd && index < page.lacing.length - 1) continue;
      if (!isHeadless) this.#keep(page.body.subarray(from, to));
      if (isEnd) {
        if (!isHeadless) packets.push(this.#takePacket());
        isHeadless = false;
      }
      from = to;
    }
    return packets;
  }

  #keep(part: Uint8Array): void {
    // An empty part is kept too: it marks a pending packet.
    this.#parts.push(part.slice(0, Math.max(0, MAX_PACKET_BYTES - this.#partBytes)));
    this.#partBytes += part.length;
    // Data beyond the limit is dropped, so that an endless packet uses no memory.
    if (this.#parts.length > 1 && this.#partBytes > MAX_PACKET_BYTES) this.#parts = [joinBytes(this.#parts)];
  }

  #takePacket(): OggPacket {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : joinBytes(this.#parts);
    const isWhole = this.#partBytes <= MAX_PACKET_BYTES;
    this.#dropParts();
    return { bytes, isWhole };
  }

  #dropParts(): void {
    this.#parts = [];
    this.#partBytes = 0;
  }
}
