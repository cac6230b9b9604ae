import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-position';
import type { LoopRegion } from '../clock/playback-clock.ts';
import { quantizedSeconds } from './beat-jump.ts';
import type { DeckTiming } from './deck-timing.ts';

/** Shortest and longest loop in beats. */
const SHORTEST_BEATS = 1 / 32;
const LONGEST_BEATS = 1024;
/** Rounding error that is accepted between the end of a loop and that of the song. */
const ROUNDING_SECONDS = 1e-6;

/** Returns the length of a loop in beats. */
export function beatsOfLoop(loop: LoopRegion, { beats }: DeckTiming): number {
  return beatAt(loop.endSeconds, beats) - beatAt(loop.startSeconds, beats);
}

/**
 * Creates a loop of a number of beats at a position. A quantized one begins on the grid, at whole beats or at multiples
 * of its length if it is shorter. A loop that would exceed the song begins as many steps earlier.
 *
 * @returns null where the song is shorter than the loop
 */
export function beatLoopAt(
  seconds: number,
  lengthBeats: number,
  isQuantized: boolean,
  timing: DeckTiming,
): LoopRegion | null {
  const { beats, durationSeconds } = timing;
  const step = Math.min(1, lengthBeats);
  const start = isQuantized ? quantizedSeconds(seconds, timing, step) : seconds;
  const first = beatAt(start, beats);
  const lastBeat = beatAt(durationSeconds + ROUNDING_SECONDS, beats);
  const back = Math.max(0, Math.ceil((first + lengthBeats - lastBeat) / step)) * step;
  return regionOf(first - back, lengthBeats, timing);
}

/**
 * Creates a loop between two positions in either order, of one beat where they are equal; null where it does not fit.
 */
export function loopFromTo(one: number, other: number, timing: DeckTiming): LoopRegion | null {
  const startSeconds = Math.min(one, other);
  const endSeconds = Math.min(timing.durationSeconds, Math.max(one, other));
  const region = { startSeconds, endSeconds };
  if (beatsOfLoop(region, timing) >= SHORTEST_BEATS - 1e-9) return region;
  return regionOf(beatAt(startSeconds, timing.beats), 1, timing);
}

/**
 * Returns a loop with the same start and its length times `factor`; the unchanged loop where the result is invalid.
 */
export function scaledLoop(loop: LoopRegion, factor: number, timing: DeckTiming): LoopRegion {
  const lengthBeats = beatsOfLoop(loop, timing) * factor;
  if (lengthBeats < SHORTEST_BEATS - 1e-9 || lengthBeats > LONGEST_BEATS) return loop;
  const scaled = regionOf(beatAt(loop.startSeconds, timing.beats), lengthBeats, timing);
  return scaled ? { ...scaled, startSeconds: loop.startSeconds } : loop;
}

/** Returns a loop moved by a number of beats; the unchanged loop where the result exceeds the song. */
export function movedLoop(loop: LoopRegion, byBeats: number, timing: DeckTiming): LoopRegion {
  const first = beatAt(loop.startSeconds, timing.beats) + byBeats;
  return regionOf(first, beatsOfLoop(loop, timing), timing) ?? loop;
}

/** Whether a position lies in a loop. */
export function isInLoop(seconds: number, { startSeconds, endSeconds }: LoopRegion): boolean {
  return seconds >= startSeconds && seconds < endSeconds;
}

/**
 * Returns the position within a loop that repeats endlessly in both directions. A whole number of rounds, up to
 * rounding, maps to its start.
 */
export function positionInLoop(seconds: number, { startSeconds, endSeconds }: LoopRegion): number {
  const length = endSeconds - startSeconds;
  const round = (((seconds - startSeconds) % length) + length) % length;
  return length - round < ROUNDING_SECONDS ? startSeconds : startSeconds + round;
}

function regionOf(first: number, lengthBeats: number, timing: DeckTiming): LoopRegion | null {
  const { beats, durationSeconds } = timing;
  const startSeconds = secondsAtBeat(first, beats);
  const endSeconds = secondsAtBeat(first + lengthBeats, beats);
  if (startSeconds < -ROUNDING_SECONDS || endSeconds > durationSeconds + ROUNDING_SECONDS) return null;
  if (endSeconds - startSeconds < 1e-4) return null;
  return { startSeconds: Math.max(0, startSeconds), endSeconds: Math.min(durationSeconds, endSeconds) };
}
