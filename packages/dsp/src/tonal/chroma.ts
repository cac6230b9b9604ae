import { PITCH_STEPS } from './pitch-kernel.ts';

const STEPS_PER_SEMITONE = PITCH_STEPS / 12;

/**
 * Estimates the tuning relative to A4 = 440 Hz: the circular mean of all its pitches within their semitones.
 *
 * @param columns pitch columns of `PITCH_STEPS` numbers
 * @returns semitones, −0.5 to 0.5; 0 for silence
 * @see Gómez, "Tonal description of polyphonic audio for music content processing", INFORMS J. Computing 18, 2006
 */
export function estimateTuning(columns: readonly Float32Array[]): number {
  let cosine = 0;
  let sine = 0;
  for (const column of columns) {
    for (let step = 0; step < PITCH_STEPS; step++) {
      const angle = (2 * Math.PI * step) / STEPS_PER_SEMITONE;
      cosine += (column[step] ?? 0) * Math.cos(angle);
      sine += (column[step] ?? 0) * Math.sin(angle);
    }
  }
  return cosine === 0 && sine === 0 ? 0 : Math.atan2(sine, cosine) / (2 * Math.PI);
}

/**
 * Folds a pitch column into twelve pitch classes, C first.
 *
 * Steps near the centre of a semitone count in full, those between two semitones not at all.
 *
 * @param column `PITCH_STEPS` numbers
 * @param tuning semitones relative to A4 = 440 Hz
 * @returns twelve numbers, 0 in silence
 */
export function foldToChroma(column: Float32Array, tuning: number): Float32Array {
  const chroma = new Float32Array(12);
  for (let step = 0; step < PITCH_STEPS; step++) {
    const pitch = step / STEPS_PER_SEMITONE - tuning;
    const semitone = Math.round(pitch);
    const pitchClass = (semitone + 12) % 12;
    const nearness = Math.cos(Math.PI * (pitch - semitone)) ** 2;
    chroma[pitchClass] = (chroma[pitchClass] ?? 0) + (column[step] ?? 0) * nearness;
  }
  return chroma;
}
