import type { Mp3Places } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { isSameMp3Stream, parseMp3FrameHeader } from './mp3-frame-header.ts';
import type { Mp3FrameReader } from './mp3-frames.ts';
import type { Mp3Info } from './mp3-info-frame.ts';

/** A place is kept of every so many frames: two seconds of sound or less. */
const FRAMES_A_PLACE = 64;
/** Frames that are walked rather than reckoned: 5 s of sound. */
const NEAR_FRAMES = 192;
/** Bytes by which frames of constant bitrate lie off their mean, because each is a whole number of bytes. */
const SLACK_BYTES = 3;
/** Frames in a row that must lie where a constant bitrate puts them; with less behind them the end of the file. */
const LINKS = 8;
const LINK_BYTES = 1 << 14;

/** The frames of an MP3 by their numbers; the Info frame is not counted. */
export class Mp3Walk {
  /** Number of the frame that comes next. */
  number = 0;
  readonly #reader: ByteReader;
  readonly #frames: Mp3FrameReader;
  readonly #info: Mp3Info | null;
  readonly #places: Mp3Places;
  /** Frame 0 where it was read already. */
  #first: Uint8Array | null;
  #isReckoned = false;

  /**
   * @param first the frame that was read last, where it is sound
   * @param places what is known of the file; added to
   */
  constructor(
    reader: ByteReader,
    frames: Mp3FrameReader,
    info: Mp3Info | null,
    first: Uint8Array | null,
    places: Mp3Places,
  ) {
    this.#reader = reader;
    this.#frames = frames;
    this.#info = info;
    this.#first = first;
    this.#places = places;
    if (first !== null) this.#note(reader.position - first.length);
  }

  /** The bytes of the next frame, valid until the next call; null at the end of the stream. */
  async next(): Promise<Uint8Array | null> {
    const bytes = this.#first ?? (await this.#frames.next())?.bytes ?? null;
    if (bytes === null) return null;
    if (this.#first === null) this.#note(this.#reader.position - bytes.length);
    this.#first = null;
    this.number++;
    return bytes;
  }

  /**
   * Moves on to frame `number`, or to the end of a file that ends before: by the places that are known, by arithmetic
   * where the file can be read anywhere and its bitrate is constant, else from frame to frame.
   */
  async passTo(number: number): Promise<void> {
    const place = Math.min(Math.floor(number / FRAMES_A_PLACE), this.#places.bytes.length - 1);
    if (place * FRAMES_A_PLACE > this.number) {
      await this.#reader.seek(this.#places.bytes[place] ?? 0);
      this.#first = null;
      this.number = place * FRAMES_A_PLACE;
    }
    const isSound = this.#reader.isSeekable && !this.#places.hasDamage;
    if (isSound && number - this.number > NEAR_FRAMES) await this.#reckon(number);
    while (this.number < number) if ((await this.next()) === null) return;
  }

  /** Notes that the next frame begins at byte `offset`: not behind damage or a leap, where its number may be another. */
  #note(offset: number): void {
    const { bytes } = this.#places;
    if (this.#frames.damagedPlaces > 0) this.#places.hasDamage = true;
    else if (!this.#isReckoned && this.number === bytes.length * FRAMES_A_PLACE) bytes.push(offset);
  }

  /** Goes to frame `number` where it, and one half way, lie where they must if all frames are as long as the next one. */
  async #reckon(number: number): Promise<void> {
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
      this.#isReckoned = true;
    } else await this.#reader.seek(position);
  }
}
