import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import { SourcePlayback } from '../playback/source-playback.ts';
import { SourceSlot } from '../sources/source-slot.ts';
import type { DjEngineCommand, FrameLoop } from './dj-engine-messages.ts';
import { Slip } from './slip.ts';

const noGrid = new BeatLookup([], []);
/** Sample rates of nearly all songs, in Hz. */
const COMMON_RATES_HZ = [44_100, 48_000];

/**
 * Position of a deck in its song, changed by loads, jumps, loops and slip. It is independent of whether the deck
 * plays.
 *
 * Positions are in sample frames of the song.
 */
export class DeckPosition {
  readonly slot: SourceSlot;
  readonly playback: SourcePlayback;
  /** Beats of the song. */
  grid = noGrid;
  readonly #slip = new Slip();
  #loop: FrameLoop | null = null;

  constructor(outputRateHz: number) {
    this.slot = new SourceSlot(outputRateHz);
    this.playback = new SourcePlayback(outputRateHz, { keyLockRatesHz: COMMON_RATES_HZ });
  }

  /** Position in sample frames. */
  get frame(): number {
    return this.playback.frame;
  }

  /** Position in seconds. */
  get seconds(): number {
    return this.playback.frame / this.slot.sampleRateHz;
  }

  /** Position without loops, jumps and scratching, while slip is on; else null. */
  get slipFrame(): number | null {
    return this.#slip.isOn && this.slot.sources ? this.#slip.frame : null;
  }

  /** Whether slip is on. */
  get isSlipping(): boolean {
    return this.#slip.isOn;
  }

  /** The loop that is active at the end of the last block, or null. */
  get loop(): FrameLoop | null {
    return this.playback.isLooping ? this.#loop : null;
  }

  /** Loads a song, or other sources of the present song. Returns whether it is another song. */
  take(command: DjEngineCommand & { type: 'load' }): boolean {
    const isOther = !command.keepsPosition || !this.slot.sources;
    if (isOther) this.clear();
    const rateHz = this.slot.sampleRateHz;
    this.slot.take(command);
    if (isOther) this.playback.setSources(this.slot.sources);
    // With another sample rate positions have another unit, so the swap is immediate.
    else if (command.sampleRateHz !== rateHz) this.#swap();
    return isOther;
  }

  /** Swaps to the pending sources of the same song as soon as they can continue from here. */
  swapWhenReady(): void {
    if (!this.slot.hasPending) return;
    if (!this.playback.isAudible || this.slot.canSwap(this.frame, this.#loop)) this.#swap();
  }

  /** Unloads the song. */
  clear(): void {
    this.playback.setSources(null);
    this.playback.setLoop(null);
    this.playback.jump(0);
    this.slot.clear();
    this.#loop = null;
    this.#slip.rewind();
    this.grid = noGrid;
  }

  /** Moves to the beginning of the song, or of its loop. */
  rewind(): void {
    this.playback.jump(this.#loop?.startFrame ?? 0);
  }

  /** Moves to `frame`, clamped to the song; with `keepsPhase` to the nearest position in the present beat phase. */
  seek(frame: number, keepsPhase: boolean): void {
    const { grid, slot } = this;
    const rateHz = slot.sampleRateHz;
    this.#jump(keepsPhase ? grid.inPhase(frame / rateHz, this.seconds) * rateHz : frame);
  }

  /**
   * Moves by a number of beats, clamped to the song.
   *
   * @param period beats to move on by where the position would be before the beginning
   */
  shiftBeats(beats: number, period = 1): void {
    const { grid, slot } = this;
    if (!grid.hasTempo) return;
    const position = grid.beatAt(this.seconds) + beats;
    const seconds = grid.secondsAt(position);
    this.#jump((seconds < 0 ? grid.secondsAt(position + period) : seconds) * slot.sampleRateHz);
  }

  /** Sets the loop, or ends it with null: with slip on, playback continues at the slip position. */
  setLoop(loop: FrameLoop | null): void {
    const wasLooping = this.#loop !== null;
    this.#loop = loop;
    this.playback.setLoop(loop);
    if (wasLooping && !loop && this.#slip.isOn) this.slipBack();
  }

  /** Sets the loop of one source. */
  setSourceLoop(source: number, loop: FrameLoop | null): void {
    if (!this.slot.hasPending) this.playback.cut();
    this.slot.latest?.setLoop(source, loop);
  }

  /** Turns slip on, or off at the slip position. */
  setSlip(isOn: boolean): void {
    if (isOn === this.#slip.isOn) return;
    if (isOn) this.#slip.start(this.frame);
    else this.slipBack();
    this.#slip.isOn = isOn;
  }

  /** Advances the slip position. */
  advanceSlip(frames: number): void {
    this.#slip.advance(frames, this.slot.frames);
  }

  /** Moves to the slip position. */
  slipBack(): void {
    const position = this.#slip.positionIn(this.loop);
    if (Slip.differs(this.frame, position)) this.#jump(position);
  }

  #swap(): void {
    const { frame } = this;
    const before = this.slot.sampleRateHz;
    const loop = this.#loop;
    this.slot.swap();
    this.playback.setSources(this.slot.sources);
    const ratio = this.slot.sampleRateHz / before;
    if (ratio === 1) return;
    this.#slip.scale(ratio);
    this.#loop = loop && { startFrame: loop.startFrame * ratio, endFrame: loop.endFrame * ratio };
    this.playback.setLoop(null);
    this.playback.jump(frame * ratio);
    this.playback.setLoop(this.#loop);
  }

  #jump(frame: number): void {
    this.playback.jump(Math.min(this.slot.frames, Math.max(0, frame)));
  }
}
