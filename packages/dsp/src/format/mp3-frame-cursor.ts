import type { Mp3FrameIndex } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { isSameMp3Stream, parseMp3FrameHeader } from './mp3-frame-header.ts';
import type { Mp3FrameReader } from './mp3-frames.ts';
import type { Mp3Info } from './mp3-info-frame.ts';

/** The index has an entry for every 64th frame: two seconds of audio or less. */
const INDEX_STEP = 64;
/** Frames that are read one by one rather than skipped: 5 s of audio. */
const NEAR_FRAMES = 192;
/**
 * Largest deviation in bytes of a frame of constant bitrate from its predicted offset: each is a whole number of bytes.
 */
const SLACK_BYTES = 3;
/** Consecutive frames that must be at their predicted offsets for a skip to be accepted. */
const LINKS = 8;
const LINK_BYTES = 1 << 14;

/** Reads the frames of an MP3 by their numbers; the Info frame is not counted. */
export class Mp3FrameCursor {
  /** Number of the next frame. */
  number = 0;
  readonly #reader: ByteReader;
  readonly #frames: Mp3FrameReader;
  readonly #info: Mp3Info | null;
  readonly #index: Mp3FrameIndex;
  /** Frame 0 if it was already read. */
  #first: Uint8Array | null;
  #hasSkipped = false;

  /**
   * @param first the frame that was read last, if it contains audio
   * @param index known offsets of the file's frames; extended
   */
  constructor(
    reader: ByteReader,
    frames: Mp3FrameReader,
    info: Mp3Info | null,
    first: Uint8Array | null,
    index: Mp3FrameIndex,
  ) {
    this.#reader = reader;
    this.#frames = frames;
    this.#info = info;
    this.#first = first;
    this.#index = index;
    if (first !== null) this.#record(reader.position - first.length);
  }

  /** Returns the bytes of the next frame, valid until the next call; null at the end of the stream. */
  async next(): Promise<Uint8Array | null> {
    const bytes = this.#first ?? (await this.#frames.next())?.bytes ?? null;
    if (bytes === null) return null;
    if (this.#first === null) this.#record(this.#reader.position - bytes.length);
    this.#first = null;
    this.number++;
    return bytes;
  }

  /**
   * Moves to frame `number`, or to the end of the file: by the index, by arithmetic in a seekable file of constant
   * bitrate, otherwise frame by frame.
   */
  async seekTo(number: number): Promise<void> {
    const entry = Math.min(Math.floor(number / INDEX_STEP), this.#index.offsets.length - 1);
    if (entry * INDEX_STEP > this.number) {
      await this.#reader.seek(this.#index.offsets[entry] ?? 0);
      this.#first = null;
      this.number = entry * INDEX_STEP;
    }
    const isSeekable = this.#reader.isSeekable && !this.#index.hasDamage;
    if (isSeekable && number - this.number > NEAR_FRAMES) await this.#seekByBitrate(number);
    while (this.number < number) if ((await this.next()) === null) return;
  }

  /** Adds `offset` of the next frame to the index, except after damage or a skip, where its number is not certain. */
  #record(offset: number): void {
    const { offsets } = this.#index;
    if (this.#frames.damagedRegions > 0) this.#index.hasDamage = true;
    else if (!this.#hasSkipped && this.number === offsets.length * INDEX_STEP) offsets.push(offset);
  }

  /** Moves to frame `number` if it and the frame halfway are at the offsets that a constant bitrate predicts. */
  async #seekByBitrate(number: number): Promise<void> {
    if ((await this.next()) === null) return;
    const { position } = this.#reader;
    const header = parseMp3FrameHeader(await this.#reader.fill(4), 0);
    if (header === null) return;
    const { frameSamples, bitrate, sampleRate } = header;
    const mean = (frameSamples / 8) * (bitrate / sampleRate);
    const { frames, bytes } = this.#info ?? {};
    if (frames && bytes && Math.abs((frames + 1) * mean - bytes) > 2 * mean) return;
    const isThere = async (frame: number): Promise<boolean> => {
      const at = Math.round(position + (frame - this.number) * mean);
      await this.#reader.seek(at - SLACK_BYTES);
      const view = await this.#reader.fill(LINK_BYTES);
      for (let offset = 0; offset <= 2 * SLACK_BYTES; offset++) {
        if (!isConstant(view, offset)) continue;
        this.#reader.consume(offset);
        return true;
      }
      return false;
    };
    const isConstant = (view: Uint8Array, offset: number): boolean => {
      let at = offset;
      for (let link = 0; link < LINKS; link++) {
        const next = parseMp3FrameHeader(view, at);
        if (next === null || !isSameMp3Stream(next, header) || next.bitrate !== bitrate) return false;
        at += next.frameBytes;
      }
      return true;
    };
    const half = Math.floor((this.number + number) / 2);
    if ((await isThere(half)) && (await isThere(number))) {
      this.number = number;
      this.#hasSkipped = true;
    } else await this.#reader.seek(position);
  }
}
