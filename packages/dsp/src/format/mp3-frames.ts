import { ascii, type ByteReader } from './byte-reader.ts';
import {
  findMp3Frame,
  isSameMp3Stream,
  type Mp3FrameHeader,
  parseMp3FrameHeader,
} from './mp3-frame-header.ts';
import { id3v2Length } from './sniff-codec.ts';

/** Bytes in which a chain of frames must be found to resume after damage. */
const SEARCH_BYTES = 1 << 14;
/** Headers that must follow a frame at the start of the file and after damage. */
const LINKS = 2;

/**
 * Cuts an MP3 stream into its frames, one at a time, skipping tags and garbage between them.
 *
 * Only frames of one stream (version, sample rate and audio channels of the first) are returned, so that the decoder
 * never has to resynchronise.
 */
export class Mp3FrameReader {
  /** Regions of other data skipped so far, tags not counted. */
  damagedRegions = 0;
  /** Whether the stream ended inside a frame. */
  endsInsideFrame = false;

  readonly #reader: ByteReader;
  #stream: Mp3FrameHeader | null = null;
  #isSynchronous = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Returns the next frame, its bytes valid until the next call; null at the end of the stream. */
  async next(): Promise<{ header: Mp3FrameHeader; bytes: Uint8Array } | null> {
    for (;;) {
      const view = await this.#reader.fill(SEARCH_BYTES);
      if (view.length < 4) return null;
      const header = this.#headerAt(view, 0);
      if (header !== null && (this.#isSynchronous || this.#isChain(view))) {
        if (header.frameBytes > view.length) {
          this.endsInsideFrame = true;
          return null;
        }
        this.#stream ??= header;
        this.#isSynchronous = true;
        const bytes = view.subarray(0, header.frameBytes);
        this.#reader.consume(header.frameBytes);
        return { header, bytes };
      }
      if (!(await this.#skipToFrame(view))) return null;
    }
  }

  /** Skips a tag, or other data up to the next chain of frames; returns false at the end of the stream. */
  async #skipToFrame(view: Uint8Array): Promise<boolean> {
    const tagLength = this.#tagLength(view);
    if (tagLength > 0) return (await this.#reader.skip(tagLength)) === tagLength;
    if (this.#isSynchronous) {
      this.#isSynchronous = false;
      if (await this.#isTail(view)) return false;
      this.damagedRegions++;
    }
    const at = findMp3Frame(view, 1, LINKS, this.#reader.ended);
    const found = at >= 0 && this.#headerAt(view, at) !== null;
    // A frame of another stream is skipped by one byte, so that the search continues after its header.
    const step = found ? at : at >= 0 ? at + 1 : view.length < SEARCH_BYTES ? view.length : SEARCH_BYTES / 2;
    this.#reader.consume(Math.min(step, view.length));
    return true;
  }

  #headerAt(view: Uint8Array, offset: number): Mp3FrameHeader | null {
    const header = parseMp3FrameHeader(view, offset);
    return header !== null && (this.#stream === null || isSameMp3Stream(this.#stream, header))
      ? header
      : null;
  }

  #isChain(view: Uint8Array): boolean {
    const head = view.length >= SEARCH_BYTES ? view : view.subarray(0);
    return findMp3Frame(head.subarray(0, 4), 0, 1, true) === 0 && findMp3Frame(head, 0, LINKS, true) === 0;
  }

  /** Returns the length of a tag at the end of a file, or between two joined files; 0 if there is none. */
  #tagLength(view: Uint8Array): number {
    if (ascii(view, 0, 3) === 'TAG') return 128;
    if (ascii(view, 0, 8) === 'APETAGEX' && view.length >= 32) {
      const data = new DataView(view.buffer, view.byteOffset);
      const isHeader = (data.getUint32(20, true) & 0x2000_0000) !== 0;
      return data.getUint32(12, true) + (isHeader ? 32 : 0);
    }
    return id3v2Length(view);
  }

  /** Returns whether only zeros follow: some writers pad their files, which is no damage. */
  async #isTail(view: Uint8Array): Promise<boolean> {
    return view.length < SEARCH_BYTES && view.every((byte) => byte === 0);
  }
}
