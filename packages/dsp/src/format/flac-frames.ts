import { ascii, type ByteReader } from './byte-reader.ts';
import { CRC16_TABLE, crc16 } from './checksum.ts';
import {
  type FlacFrameHeader,
  type FlacStreamInfo,
  MAX_FLAC_HEADER_BYTES,
  parseFlacFrameHeader,
} from './flac-frame-header.ts';

const STEP_BYTES = 1 << 14;

/** One whole audio frame of FLAC with a correct CRC-16. */
export interface FlacFrame extends FlacFrameHeader {
  bytes: Uint8Array;
}

/**
 * Splits a FLAC stream into audio frames and returns those with correct checksums.
 *
 * A frame ends at the next header if the CRC-16 over all bytes before it is zero. If it is not zero at the header of a
 * later frame, the current frame is damaged and dropped, and reading continues with the later one: a flipped bit costs
 * one frame.
 */
export class FlacFrameReader {
  /** Frames, or regions between frames, that were dropped as damaged. */
  damagedRegions = 0;
  /** Whether the stream ended inside a frame. */
  endsInsideFrame = false;

  readonly #reader: ByteReader;
  readonly #stream: FlacStreamInfo;
  readonly #maxFrameBytes: number;

  constructor(reader: ByteReader, stream: FlacStreamInfo) {
    this.#reader = reader;
    this.#stream = stream;
    // No frame is longer than its uncompressed samples, with the side channel one bit wider.
    const blockBits = Math.max(stream.maxBlockSize, 65535) * stream.channels * (stream.bitsPerSample + 1);
    this.#maxFrameBytes = Math.ceil(blockBits / 8) + 64;
  }

  /** Returns the next whole frame, its bytes valid until the next call; null at the end of the stream. */
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
   * Returns the length of the frame at the start of the window if it is whole and the next frame follows it, otherwise
   * 0. This is the fast path for nearly all frames: it looks only at sync bytes.
   */
  async #findNext(header: FlacFrameHeader): Promise<number> {
    const nextSample = header.firstSample + header.blockSize;
    let at = header.headerBytes + 2;
    while (at <= this.#maxFrameBytes) {
      const view = await this.#reader.fill(at + STEP_BYTES);
      const isEnd = view.length < at + STEP_BYTES;
      const last = isEnd ? view.length : view.length - MAX_FLAC_HEADER_BYTES;
      for (at = view.indexOf(0xff, at); at >= 0 && at < last; at = view.indexOf(0xff, at + 1)) {
        const next = parseFlacFrameHeader(view, at, this.#stream);
        if (next?.firstSample === nextSample) return crc16(view, 0, at) === 0 ? at : 0;
      }
      if (isEnd) return 0;
      at = last;
    }
    return 0;
  }

  /**
   * Searches every byte for the end of the frame at the start of the window; `frameBytes` 0 if damaged or truncated.
   */
  async #findEnd(header: FlacFrameHeader): Promise<{ frameBytes: number; resumeAt: number; atEnd: boolean }> {
    let crc = 0;
    let at = 0;
    // Offset with CRC zero but no header after it: the end, if the next frame's header is damaged.
    let possibleEnd = 0;
    const earliest = header.headerBytes + 2;
    while (at <= this.#maxFrameBytes) {
      const view = await this.#reader.fill(at + STEP_BYTES);
      const isEnd = view.length < at + STEP_BYTES;
      const last = isEnd ? view.length : view.length - MAX_FLAC_HEADER_BYTES;
      for (; at < last; at++) {
        const byte = view[at] as number;
        // Only one offset in 200 is a candidate: a sync byte, or a correct checksum.
        if ((byte === 0xff || crc === 0) && at >= earliest) {
          const next = byte === 0xff ? parseFlacFrameHeader(view, at, this.#stream) : null;
          if (next !== null && crc === 0) return { frameBytes: at, resumeAt: at, atEnd: false };
          if (next !== null && isLater(next, header, this.#stream)) {
            // If this is the next frame, the current one ends here and is damaged. Otherwise a header in between is
            // damaged, and the current frame may be whole up to the offset with the correct checksum.
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

/** Returns whether a header can belong to one of the next frames: a correct CRC-8 alone may be chance. */
function isLater(next: FlacFrameHeader, current: FlacFrameHeader, stream: FlacStreamInfo): boolean {
  const ahead = next.firstSample - current.firstSample;
  return ahead >= current.blockSize && ahead <= 16 * Math.max(stream.maxBlockSize, current.blockSize);
}

/**
 * Returns whether an offset with a correct checksum can be the end of a frame: one in 65,536 is correct by chance. A
 * real end is followed by a trailer, or by a damaged header that resembles the current one.
 */
function isPlausibleEnd(view: Uint8Array, at: number): boolean {
  let alike = 0;
  for (let index = 0; index < 4; index++) if (view[index] === view[at + index]) alike++;
  return alike >= 3 || isTrailer(view.subarray(at, at + 8));
}

/** Returns whether valid data follows the last frame: nothing, zeros, or an ID3v1 or APE tag. */
function isTrailer(view: Uint8Array): boolean {
  return ascii(view, 0, 3) === 'TAG' || ascii(view, 0, 8) === 'APETAGEX' || view.every((byte) => byte === 0);
}
