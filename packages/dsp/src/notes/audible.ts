import type { NoteMap } from './note-map.ts';

/** What is this much softer than the loudest moment is a remainder of other sounds, or of a separation. */
const BELOW_LOUDEST_DB = 55;
/** What is softer than this is not heard at all: dither, hum. */
const LEAST_DBFS = -75;
/** What is flatter than this on the average is noise: music stays below 0.1, white noise is 0.56, pink noise 0.2. */
const NOISE_FLATNESS = 0.15;

/**
 * Whether a tone is to be heard between two frames (the later one, which is not included, being later). The network
 * looks at each window by itself, and hears notes in noise and in what is left in the silences of a stem as well as in
 * the music.
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
