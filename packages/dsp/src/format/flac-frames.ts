import { ascii, type ByteReader } from './byte-reader.ts';
import { CRC16_TABLE, crc16 } from './checksum.ts';
import {
  type FlacFrameHeader,
  type FlacStreamInfo,
  MAX_FLAC_HEADER_BYTES,
  parseFlacFrameHeader,
} from './flac-frame-header.ts';

const STEP_BYTES = 1 << 14;

/** One whole audio frame of FLAC whose CRC-16 is right. */
export interface FlacFrame extends FlacFrameHeader {
  bytes: Uint8Array;
}

/**
 * Cuts a FLAC stream into its audio frames, handing out only those whose checksums are right.
 *
 * A frame ends where the next header stands and the CRC-16 over everything before it is zero. A header of a
 * later frame where it is not zero means that the frame in hand is damaged; it is dropped and the later one taken
 * up, so that a flipped bit costs one frame and not two.
 */
export class FlacFrameReader {
  /** Frames, or stretches between frames, that were dropped because they are damaged. */
  damagedRegions = 0;
  /** Whether the stream ended inside a frame. */
  endsInsideFrame = false;

  readonly #reader: ByteReader;
  readonly #stream: FlacStreamInfo;
  readonly #maxFrameBytes: number;

  constructor(reader: ByteReader, stream: FlacStreamInfo) {
    this.#reader = reader;
    this.#stream = stream;
    // No frame is longer than its samples written out, the side channel one bit wider.
    const blockBits = Math.max(stream.maxBlockSize, 65535) * stream.channels * (stream.bitsPerSample + 1);
    this.#maxFrameBytes = Math.ceil(blockBits / 8) + 64;
  }

  /** The next whole frame, its bytes valid until the next call; null at the end of the stream. */
  async next(): Promise<FlacFrame | null> {
    for (;;) {
      const header = await this.#findHeader();
      if (header === null) return null;
      const length = await this.#findNext(header);
      const end =
        length > 0 ? { frameBytes: length, resumeAt: length, atEnd: false } : await this.#findEnd(header);
      if (end.frameBytes > 0) {
        const bytes = this.#reader.view.subarray(0, end.frameBytes);
        this.#reader.consume(end.frameBytes);
        return { ...header, bytes };
      }
      if (end.atEnd) {
        this.endsInsideFrame = true;
        return null;
      }
      this.damagedRegions++;
      this.#reader.consume(end.resumeAt);
    }
  }

  /** Moves to the next header of this stream and reads it; null if none follows. */
  async #findHeader(): Promise<FlacFrameHeader | null> {
    let skipped = 0;
    for (;;) {
      const view = await this.#reader.fill(STEP_BYTES);
      const isEnd = view.length < STEP_BYTES;
      if (isEnd && isTrailer(view)) return null;
      const last = isEnd ? view.length : view.length - MAX_FLAC_HEADER_BYTES;
      for (let at = 0; at < last; at++) {
        if (view[at] !== 0xff) continue;
        const header = parseFlacFrameHeader(view, at, this.#stream);
        if (header === null) continue;
        if (skipped + at > 0) this.damagedRegions++;
        this.#reader.consume(at);
        return header;
      }
      this.#reader.consume(last);
      skipped += last;
      if (isEnd) {
        if (skipped > 0) this.damagedRegions++;
        return null;
      }
    }
  }

  /**
   * Length of the frame at the beginning of the window where it is whole and the very next one follows it; else 0.
   * That is so for nearly all, and found by looking at sync bytes alone.
   */
  async #findNext(header: FlacFrameHeader): Promise<number> {
    const wanted = header.firstSample + header.blockSize;
    let at = header.headerBytes + 2;
    while (at <= this.#maxFrameBytes) {
      const view = await this.#reader.fill(at + STEP_BYTES);
      const isEnd = view.length < at + STEP_BYTES;
      const last = isEnd ? view.length : view.length - MAX_FLAC_HEADER_BYTES;
      for (at = view.indexOf(0xff, at); at >= 0 && at < last; at = view.indexOf(0xff, at + 1)) {
        const next = parseFlacFrameHeader(view, at, this.#stream);
        if (next?.firstSample === wanted) return crc16(view, 0, at) === 0 ? at : 0;
      }
      if (isEnd) return 0;
      at = last;
    }
    return 0;
  }

  /** Where the frame at the beginning of the window ends, looking at every byte: `frameBytes` 0 if it is damaged or cut off. */
  async #findEnd(header: FlacFrameHeader): Promise<{ frameBytes: number; resumeAt: number; atEnd: boolean }> {
    let crc = 0;
    let at = 0;
    // A place with CRC zero but no header behind it: the end, if the next frame's header is damaged.
    let possibleEnd = 0;
    const earliest = header.headerBytes + 2;
    while (at <= this.#maxFrameBytes) {
      const view = await this.#reader.fill(at + STEP_BYTES);
      const isEnd = view.length < at + STEP_BYTES;
      const last = isEnd ? view.length : view.length - MAX_FLAC_HEADER_BYTES;
      for (; at < last; at++) {
        const byte = view[at] as number;
        // The one place in 200 where something can end: a sync byte, or a checksum that is right.
        if ((byte === 0xff || crc === 0) && at >= earliest) {
          const next = byte === 0xff ? parseFlacFrameHeader(view, at, this.#stream) : null;
          if (next !== null && crc === 0) return { frameBytes: at, resumeAt: at, atEnd: false };
          if (next !== null && isLater(next, header, this.#stream)) {
            // The very next frame stands here: this one's end is here too, and it is damaged. Otherwise a header
            // on the way was, and this frame may be whole up to the place where its checksum was right.
            const isNext = next.firstSample === header.firstSample + header.blockSize;
            return { frameBytes: isNext ? 0 : possibleEnd, resumeAt: at, atEnd: false };
          }
          if (crc === 0 && possibleEnd === 0 && isPlausibleEnd(view, at)) possibleEnd = at;
        }
        crc = ((crc << 8) & 0xffff) ^ (CRC16_TABLE[(crc >> 8) ^ byte] as number);
      }
      if (isEnd) {
        const frameBytes = crc === 0 && at >= earliest ? at : possibleEnd;
        return { frameBytes, resumeAt: view.length, atEnd: true };
      }
    }
    return { frameBytes: possibleEnd, resumeAt: 1, atEnd: false };
  }
}

/** Whether a header can be that of one of the next frames: chance and a CRC-8 alone do not convince. */
function isLater(next: FlacFrameHeader, current: FlacFrameHeader, stream: FlacStreamInfo): boolean {
  const ahead = next.firstSample - current.firstSample;
  return ahead >= current.blockSize && ahead <= 16 * Math.max(stream.maxBlockSize, current.blockSize);
}

/**
 * Whether a place where the checksum is right can be the end of a frame: one byte in 65,536 is so by chance. Behind
 * a true end stands a trailer, or a damaged header that still resembles that of the frame in hand.
 */
function isPlausibleEnd(view: Uint8Array, at: number): boolean {
  let alike = 0;
  for (let index = 0; index < 4; index++) if (view[index] === view[at + index]) alike++;
  return alike >= 3 || isTrailer(view.subarray(at, at + 8));
}

/** What may stand behind the last frame without being damage: nothing, zeros, or an ID3v1 or APE tag. */
function isTrailer(view: Uint8Array): boolean {
  return ascii(view, 0, 3) === 'TAG' || ascii(view, 0, 8) === 'APETAGEX' || view.every((byte) => byte === 0);
}
