import type { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { ClickTrack } from './click-track.ts';

/** A position this shortly before a bar belongs to it, in seconds. */
const NEAR_SECONDS = 0.05;

/** Where playback starts after a count-in, and the beats that are counted. */
export interface CountInPlan {
  /** Beginning of the bar; the position itself before the first bar. */
  readonly startSeconds: number;
  /** Length of a beat at the recorded tempo. */
  readonly beatSeconds: number;
  readonly beatsPerBar: number;
}

/** Plans the count-in at a position in seconds of the song; null without a tempo. */
export function planCountIn(grid: BeatLookup, seconds: number): CountInPlan | null {
  if (!grid.hasTempo) return null;
  const { barStarts } = grid;
  let bar = -1;
  while (bar + 1 < barStarts.length && grid.secondsAt(barStarts[bar + 1]!) <= seconds + NEAR_SECONDS) bar++;
  const counted = Math.max(0, bar);
  const beat = barStarts[counted] ?? 0;
  return {
    startSeconds: bar < 0 ? seconds : grid.secondsAt(beat),
    beatSeconds: 1 / grid.tempoAt(beat),
    beatsPerBar: beatsOfBar(grid, counted),
  };
}

/**
 * Counts in before playback starts: clicks at the tempo of the bar in which playback starts, the first of each bar
 * accented. Allocates nothing in `process`.
 */
export class CountIn {
  /** Output samples until playback starts; 0 while nothing is counted. */
  framesLeft = 0;
  #elapsed = 0;
  #beatFrames = 0;
  #beatsPerBar = 4;
  #nextBeat = 0;

  /** Starts to count `bars` of a plan. `beatRate` is the factor of the recorded tempo. */
  start(
    { beatSeconds, beatsPerBar }: CountInPlan,
    bars: number,
    beatRate: number,
    outputRateHz: number,
  ): void {
    this.cancel();
    this.#beatsPerBar = beatsPerBar;
    this.#beatFrames = (outputRateHz * beatSeconds) / beatRate;
    this.framesLeft = Math.round(bars * beatsPerBar * this.#beatFrames);
  }

  /** Stops counting. */
  cancel(): void {
    this.framesLeft = 0;
    this.#elapsed = 0;
    this.#nextBeat = 0;
  }

  /** Adds the clicks of the next `frames` samples, at most {@link framesLeft}, after `clicks.process`. */
  process(clicks: ClickTrack, into: Float32Array, frames: number): void {
    const end = this.#elapsed + frames;
    for (;;) {
      const at = Math.round(this.#nextBeat * this.#beatFrames);
      if (at >= end || frames === 0) break;
      clicks.click(this.#nextBeat % this.#beatsPerBar === 0, into, at - this.#elapsed, frames);
      this.#nextBeat++;
    }
    this.#elapsed = end;
    this.framesLeft -= frames;
    if (this.framesLeft <= 0) this.cancel();
  }
}

/** Returns the beats of a bar; those of the bar before where it is the last one. */
function beatsOfBar(grid: BeatLookup, bar: number): number {
  const { barStarts } = grid;
  const last = Math.min(bar, barStarts.length - 2);
  const beats = (barStarts[last + 1] ?? 0) - (barStarts[last] ?? 0);
  return beats > 0 ? beats : grid.beatsPerBar;
}
