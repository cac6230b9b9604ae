import type { NoteMap } from './note-map.ts';

/** Level below the loudest moment, in dB, at which audio is residue of other sounds or of the separation. */
const BELOW_LOUDEST_DB = 55;
/** Level below which audio such as dither or hum is inaudible. */
const LEAST_DBFS = -75;
/** Mean spectral flatness above which audio is noise: music stays below 0.1, white noise is 0.56, pink noise 0.2. */
const NOISE_FLATNESS = 0.15;

/**
 * Returns a function that tests whether audio is audible between two frames (`end` exclusive and greater than `start`).
 *
 * The network processes each window by itself, and finds notes in noise and in the residue between the phrases of a
 * stem as well as in the music.
 */
export function audibleIn({ power, flatness }: NoteMap): (start: number, end: number) => boolean {
  let loudest = 0;
  for (const value of power) loudest = Math.max(loudest, value);
  const least = Math.max(loudest * 10 ** (-BELOW_LOUDEST_DB / 10), 10 ** (LEAST_DBFS / 10));
  return (start, end) => {
    if (!power.subarray(start, end).some((value) => value > least)) return false;
    const sum = flatness.subarray(start, end).reduce((total, value) => total + value, 0);
    return sum / (end - start) < NOISE_FLATNESS;
  };
}
