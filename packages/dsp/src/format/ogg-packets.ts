import { joinBytes } from './audio-encoder.ts';
import type { ByteReader } from './byte-reader.ts';
import { type OggPage, OggPageReader } from './ogg-pages.ts';

/** The packets that end on one page of one logical stream. */
export interface OggPacketGroup {
  /** Number of the logical stream. */
  serial: number;
  /** Whether a new logical stream begins here: its first packet is the first of the group. */
  isFirst: boolean;
  /** Whether the logical stream is said to end here. */
  isLast: boolean;
  packets: OggPacket[];
  /** Position at the end of the last packet, in the codec's own count; null where unknown. */
  granule: number | null;
  /** Whether packets before these were lost. */
  isAfterLoss: boolean;
}

/** One packet; of one that is longer than any packet of sound only the beginning, and `isWhole` false. */
export interface OggPacket {
  bytes: Uint8Array;
  isWhole: boolean;
}

/** Longer packets are comments with pictures; the library's own input buffer is as long. */
const MAX_PACKET_BYTES = 1 << 17;

/**
 * The packets of the sound in an Ogg file, page by page: one logical stream, or several one behind the other
 * (chained); streams of other kinds that run beside them are left out.
 *
 * `isSound` looks at the first packet of a logical stream and says whether it is one of the wanted kind.
 * @see RFC 3533
 */
export class OggPacketReader {
  readonly #pages: OggPageReader;
  readonly #isSound: (firstPacket: Uint8Array) => boolean;
  #serial: number | null = null;
  #nextSequence = 0;
  /** Streams that run side by side all begin before the first of them goes on. */
  #isOpening = false;
  #lostBefore = false;
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(reader: ByteReader, isSound: (firstPacket: Uint8Array) => boolean) {
    this.#pages = new OggPageReader(reader);
    this.#isSound = isSound;
  }

  /** Stretches of the file that are no whole page. */
  get damagedPlaces(): number {
    return this.#pages.damagedPlaces;
  }

  /** Whether the file ended inside a page. */
  get endsInsidePage(): boolean {
    return this.#pages.endsInsidePage;
  }

  /** The packets of the next page on which any ends, or the stream does; null at the end of the file. */
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

  /** Whether a stream's first page is that of the sound to follow from here on. */
  #begins(page: OggPage): boolean {
    if (this.#isOpening || !this.#isSound(page.body)) return false;
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
    // What this page goes on with was begun on a page that is lost, or what was begun does not go on.
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
    // An empty part is kept too: it says that a packet is under way.
    this.#parts.push(part.slice(0, Math.max(0, MAX_PACKET_BYTES - this.#partBytes)));
    this.#partBytes += part.length;
    // Nothing beyond the limit is kept, so that a packet without an end costs no memory.
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
