/** Converts a mean square, or the square of a magnitude, to decibels, limited to `floorDb` (default −100). */
export function powerToDb(power: number, floorDb = -100): number {
  return power > 10 ** (floorDb / 10) ? 10 * Math.log10(power) : floorDb;
}

const MEL_LINEAR_HZ = 200 / 3;
const MEL_BREAK_HZ = 1000;
const MEL_BREAK = MEL_BREAK_HZ / MEL_LINEAR_HZ;
const MEL_LOG_STEP = Math.log(6.4) / 27;

/**
 * Converts a frequency in Hz to Slaney's mel scale: linear to 1 kHz, 15 mel there, logarithmic above.
 *
 * @see Slaney, "Auditory Toolbox", Interval Research technical report 1998-010
 */
export function hzToMel(frequencyHz: number): number {
  if (frequencyHz < MEL_BREAK_HZ) return frequencyHz / MEL_LINEAR_HZ;
  return MEL_BREAK + Math.log(frequencyHz / MEL_BREAK_HZ) / MEL_LOG_STEP;
}

/** Converts a value of Slaney's mel scale to Hz; the inverse of `hzToMel`. */
export function melToHz(mel: number): number {
  return mel < MEL_BREAK ? mel * MEL_LINEAR_HZ : MEL_BREAK_HZ * Math.exp(MEL_LOG_STEP * (mel - MEL_BREAK));
}

/**
 * Converts a frequency above 0 Hz to a MIDI number with its fraction; A4 is 69.
 *
 * @param tuningHz the frequency of A4
 */
export function hzToMidi(frequencyHz: number, tuningHz = 440): number {
  return 69 + 12 * Math.log2(frequencyHz / tuningHz);
}

/**
 * Converts a MIDI number (fractions allowed) to Hz, in equal temperament with A4 = 440 Hz.
 *
 * @see ISO 16:1975
 */
export function midiToHz(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}
