import type { SourceSlot } from '../sources/source-slot.ts';
import type { CaptureCommand, CaptureEvent } from './sampler-messages.ts';

/** Frames that are copied in one block: copying half a minute at once would interrupt the output. */
const FRAMES_PER_BLOCK = 8_192;
/** Longest region in seconds. */
export const MAX_CAPTURE_SECONDS = 30;

/** Copies a region of a deck's song out of the engine, a part of it in each block. */
export class LoopCapture {
  /** Receives the region. */
  onCaptured: (event: CaptureEvent) => void = () => {};
  #command: CaptureCommand | null = null;
  #slot: SourceSlot | null = null;
  #load = 0;
  #from = 0;
  #done = 0;
  #left = new Float32Array(0);
  #right = new Float32Array(0);

  /** Starts a copy; one that runs already fails. */
  start(command: CaptureCommand, slot: SourceSlot): void {
    this.#finish(false);
    this.#command = command;
    this.#slot = slot;
    this.#load = slot.load;
    this.#from = Math.max(0, Math.round(command.startFrame));
    this.#done = 0;
    const limit = MAX_CAPTURE_SECONDS * slot.sampleRateHz;
    const end = Math.min(slot.frames, Math.round(command.endFrame));
    const frames = Math.max(0, Math.min(limit, end - this.#from));
    const isLoaded = frames > 0 && (slot.sources?.isLoaded(this.#from, this.#from + frames) ?? false);
    this.#left = new Float32Array(isLoaded ? frames : 0);
    this.#right = new Float32Array(this.#left.length);
    if (!isLoaded) this.#finish(false);
  }

  /** Copies the next part. */
  process(): void {
    const slot = this.#slot;
    if (!this.#command || !slot) return;
    const { length } = this.#left;
    const count = Math.min(FRAMES_PER_BLOCK, length - this.#done);
    const from = this.#from + this.#done;
    const isThere = slot.load === this.#load && (slot.sources?.isLoaded(from, from + count) ?? false);
    if (!isThere || !slot.sources) {
      this.#finish(false);
      return;
    }
    slot.sources.copy(this.#command.source, from, this.#left, this.#right, this.#done, count);
    this.#done += count;
    if (this.#done === length) this.#finish(true);
  }

  #finish(isWhole: boolean): void {
    const command = this.#command;
    if (!command) return;
    this.#command = null;
    const sampleRateHz = this.#slot?.sampleRateHz ?? 1;
    this.#slot = null;
    const samples = isWhole ? { left: this.#left, right: this.#right } : null;
    this.onCaptured({ type: 'captured', id: command.id, sampleRateHz, samples });
  }
}
