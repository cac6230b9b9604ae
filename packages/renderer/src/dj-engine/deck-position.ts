import { SourcePlayback } from '../playback/source-playback.ts';
import { SourceSlot } from '../sources/source-slot.ts';
import { BeatGrid } from './beat-grid.ts';
import type { DjEngineCommand, FrameLoop } from './dj-engine-messages.ts';
import { Slip } from './slip.ts';

const noGrid = new BeatGrid([], []);
/** Sample rates of nearly all songs, in Hz. */
const COMMON_RATES_HZ = [44_100, 48_000];

/**
 * Where a deck is in its song, and whatever takes it elsewhere: another song, jumps, loops, and slip, which goes on
 * beside them. Whether the deck plays is not known here.
 *
 * Places are in sample frames of the song.
 */
export class DeckPosition {
  readonly slot: SourceSlot;
  readonly sound: SourcePlayback;
  /** Beats of the song. */
  grid = noGrid;
  readonly #slip = new Slip();
  #loop: FrameLoop | null = null;

  constructor(outputRateHz: number) {
    this.slot = new SourceSlot(outputRateHz);
    this.sound = new SourcePlayback(outputRateHz, { keyLockRatesHz: COMMON_RATES_HZ });
  }

  /** The place. */
  get frame(): number {
    return this.sound.frame;
  }

  /** The place in seconds of the song. */
  get seconds(): number {
    return this.sound.frame / this.slot.sampleRateHz;
  }

  /** Where it would be without loops, jumps and hand, while it slips. */
  get slipFrame(): number | null {
    return this.#slip.isOn && this.slot.sources ? this.#slip.frame : null;
  }

  /** Whether it slips. */
  get isSlipping(): boolean {
    return this.#slip.isOn;
  }

  /** The loop that it would go round in the block that was made last, or null. */
  get loop(): FrameLoop | null {
    return this.sound.isLooping ? this.#loop : null;
  }

  /** Takes a song, from its beginning, or other sources of the song that is there. Answers whether it is another song. */
  take(command: DjEngineCommand & { type: 'load' }): boolean {
    const isOther = !command.keepsPosition || !this.slot.sources;
    if (isOther) this.clear();
    const rateHz = this.slot.sampleRateHz;
    this.slot.take(command);
    if (isOther) this.sound.setSources(this.slot.sources);
    // Places would mean something else meanwhile.
    else if (command.sampleRateHz !== rateHz) this.#swap();
    return isOther;
  }

  /** Goes over to new sources of the same song as soon as they can go on from here. */
  swapWhenReady(): void {
    if (!this.slot.hasPending) return;
    if (!this.sound.isAudible || this.slot.canSwap(this.frame, this.#loop)) this.#swap();
  }

  /** There is no song any more. */
  clear(): void {
    this.sound.setSources(null);
    this.sound.setLoop(null);
    this.sound.jump(0);
    this.slot.clear();
    this.#loop = null;
    this.#slip.rewind();
    this.grid = noGrid;
  }

  /** Goes to the beginning of the song, or of its loop. */
  rewind(): void {
    this.sound.jump(this.#loop?.startFrame ?? 0);
  }

  /** Jumps to `frame`, to where there is anything to play; with `keepsPhase` to where the beats go on as they went. */
  seek(frame: number, keepsPhase: boolean): void {
    const { grid, slot } = this;
    const rateHz = slot.sampleRateHz;
    this.#jump(keepsPhase ? grid.phaseAligned(frame / rateHz, this.seconds) * rateHz : frame);
  }

  /** Jumps by so many of its beats, to where there is anything to play. */
  shiftBeats(beats: number): void {
    const { grid, slot } = this;
    if (!grid.hasTempo) return;
    const place = grid.beatAt(this.seconds) + beats;
    const seconds = grid.secondsAt(place);
    this.#jump((seconds < 0 ? grid.secondsAt(place + 1) : seconds) * slot.sampleRateHz);
  }

  /** Loops from now on, or with null goes straight on: where it slips, from where it would be. */
  setLoop(loop: FrameLoop | null): void {
    const wasLooping = this.#loop !== null;
    this.#loop = loop;
    this.sound.setLoop(loop);
    if (wasLooping && !loop && this.#slip.isOn) this.slipBack();
  }

  /** Lets one source go round by itself. */
  setSourceLoop(source: number, loop: FrameLoop | null): void {
    if (!this.slot.hasPending) this.sound.cut();
    this.slot.latest?.setLoop(source, loop);
  }

  /** Begins to slip, or ends it where it would be. */
  setSlip(isOn: boolean): void {
    if (isOn === this.#slip.isOn) return;
    if (isOn) this.#slip.start(this.frame);
    else this.slipBack();
    this.#slip.isOn = isOn;
  }

  /** Lets so many frames pass of where it would be. */
  advanceSlip(frames: number): void {
    this.#slip.advance(frames, this.slot.frames);
  }

  /** Goes on where it would be. */
  slipBack(): void {
    const place = this.#slip.positionIn(this.loop);
    if (Slip.differs(this.frame, place)) this.#jump(place);
  }

  #swap(): void {
    const { frame } = this;
    const before = this.slot.sampleRateHz;
    const loop = this.#loop;
    this.slot.swap();
    this.sound.setSources(this.slot.sources);
    const ratio = this.slot.sampleRateHz / before;
    if (ratio === 1) return;
    this.#slip.scale(ratio);
    this.#loop = loop && { startFrame: loop.startFrame * ratio, endFrame: loop.endFrame * ratio };
    this.sound.setLoop(null);
    this.sound.jump(frame * ratio);
    this.sound.setLoop(this.#loop);
  }

  #jump(frame: number): void {
    this.sound.jump(Math.min(this.slot.frames, Math.max(0, frame)));
  }
}
