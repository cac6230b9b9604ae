import { ascii, type ByteReader } from './byte-reader.ts';
import { crc32Ogg } from './checksum.ts';

/** One page of an Ogg file with a correct checksum. */
export interface OggPage {
  /** Number of the logical stream that it belongs to. */
  serial: number;
  /** Number of the page in its logical stream. */
  sequence: number;
  /** Position at the end of the last packet that ends on this page, in the unit of the codec; null if none ends. */
  granule: number | null;
  isFirst: boolean;
  isLast: boolean;
  /** Whether it begins with the continuation of a packet of the previous page. */
  isContinued: boolean;
  /** Lengths of the segments of `body`; one of 255 is continued in the next. */
  lacing: Uint8Array;
  body: Uint8Array;
}

const HEADER_BYTES = 27;
/** Largest page: a header, 255 lacing values, 255 segments of 255 bytes. */
const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
const O = 0x4f;

/**
 * Splits an Ogg file into pages and returns those with correct checksums.
 *
 * @see RFC 3533, 6
 */
export class OggPageReader {
  /** Regions that are not whole pages. */
  damagedRegions = 0;
  /** Whether the file ended inside a page. */
  endsInsidePage = false;

  readonly #reader: ByteReader;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Returns the next whole page, its bytes valid until the next call; null at the end of the file. */
  async next(): Promise<OggPage | null> {
    let isSearching = false;
    for (;;) {
      const view = await this.#reader.fill(HEADER_BYTES);
      if (view.length < HEADER_BYTES) {
        // Files may be padded with zeros; anything else is a truncated page.
        this.endsInsidePage ||= view.some((byte) => byte !== 0);
        return null;
      }
      const page = await this.#pageHere();
      if (page === 'cut off') {
        this.endsInsidePage = true;
        // A damaged header may state too long a page, which contains whole pages.
        if (!(await this.#skipToPage())) return null;
        continue;
      }
      if (page !== null) return page;
      if (!isSearching) this.damagedRegions++;
      isSearching = true;
      if (!(await this.#skipToPage())) return null;
    }
  }

  async #pageHere(): Promise<OggPage | 'cut off' | null> {
    let view = this.#reader.view;
    if (ascii(view, 0, 4) !== 'OggS' || view[4] !== 0) return null;
    const pieces = view[26] ?? 0;
    view = await this.#reader.fill(HEADER_BYTES + pieces);
    const lacing = view.slice(HEADER_BYTES, HEADER_BYTES + pieces);
    const bodyStart = HEADER_BYTES + pieces;
    const length = lacing.reduce((sum, piece) => sum + piece, bodyStart);
    view = await this.#reader.fill(length);
    if (lacing.length < pieces || view.length < length) return 'cut off';
    const head = new DataView(view.buffer, view.byteOffset, length);
    if (crc32Ogg(view, length) !== head.getUint32(22, true)) return null;
    const granule = head.getBigInt64(6, true);
    const flags = view[5] ?? 0;
    const page = {
      serial: head.getUint32(14, true),
      sequence: head.getUint32(18, true),
      granule: granule < 0n ? null : Number(granule),
      isContinued: (flags & 1) !== 0,
      isFirst: (flags & 2) !== 0,
      isLast: (flags & 4) !== 0,
      lacing,
      body: view.subarray(bodyStart, length),
    };
    this.#reader.consume(length);
    return page;
  }

  /** Moves by at least one byte to the next capture pattern "OggS"; returns false if none follows. */
  async #skipToPage(): Promise<boolean> {
    this.#reader.consume(Math.min(1, this.#reader.view.length));
    for (;;) {
      const view = await this.#reader.fill(MAX_PAGE_BYTES);
      if (view.length < 4) return false;
      let at = view.indexOf(O);
      while (at >= 0 && at + 4 <= view.length && ascii(view, at, at + 4) !== 'OggS') {
        at = view.indexOf(O, at + 1);
      }
      if (at >= 0 && at + 4 <= view.length) {
        this.#reader.consume(at);
        return true;
      }
      // The pattern may cross the end of the window.
      this.#reader.consume(view.length - 3);
      if (view.length < MAX_PAGE_BYTES) return false;
    }
  }
}
