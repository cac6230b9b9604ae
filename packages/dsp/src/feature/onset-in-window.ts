/** Frames of a step of the search: 0.7 ms at 44.1 kHz. */
const STEP = 32;
/** Steps before and after a position whose energies are compared: 6 ms before, 3 ms after. */
const STEPS_BEFORE = 8;
const STEPS_AFTER = 4;
/** Least rise of the energy at an onset, as a factor: 6 dB. */
const LEAST_RISE = 4;
/** Energy of a frame that is silence: −80 dB of full scale. */
const SILENCE = 1e-8;
/** Part of the largest change of neighbouring samples after an onset that its first frame reaches. */
const START_PART = 0.25;

/**
 * Returns the frame at which the strongest onset of a short window begins, within about 1 ms; null where nothing rises by
 * 6 dB.
 *
 * The energy of the differences of neighbouring samples, which stresses high frequencies, of 3 ms is divided by that of
 * the 6 ms before; the onset is where this is largest.
 *
 * @param samples mono; 1 is full scale. The first 6 ms and the last 3 ms are only compared with.
 * @see Bello et al., "A Tutorial on Onset Detection in Music Signals", IEEE Transactions on Speech and Audio Processing 13
 *   (5), 2005
 */
export function onsetInWindow(samples: Float32Array): number | null {
  const energies = stepEnergies(samples);
  let best = LEAST_RISE;
  let found = -1;
  for (let step = STEPS_BEFORE; step + STEPS_AFTER <= energies.length; step++) {
    const before = mean(energies, step - STEPS_BEFORE, step);
    const after = mean(energies, step, step + STEPS_AFTER);
    const rise = after / (before + STEP * SILENCE);
    if (rise <= best) continue;
    best = rise;
    found = step;
  }
  return found < 0 ? null : startAfter(samples, (found - 1) * STEP);
}

function stepEnergies(samples: Float32Array): Float64Array {
  const energies = new Float64Array(Math.floor(samples.length / STEP));
  for (let n = 1; n < energies.length * STEP; n++) {
    energies[Math.floor(n / STEP)]! += (samples[n]! - samples[n - 1]!) ** 2;
  }
  return energies;
}

function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += values[n]!;
  return sum / (to - from);
}

/** Returns the first frame from one on whose change is a quarter of the largest one of the next 4 ms. */
function startAfter(samples: Float32Array, from: number): number {
  const end = Math.min(samples.length, from + (STEPS_AFTER + 2) * STEP);
  let largest = 0;
  for (let n = from + 1; n < end; n++) largest = Math.max(largest, Math.abs(samples[n]! - samples[n - 1]!));
  let at = from + 1;
  while (at < end && Math.abs(samples[at]! - samples[at - 1]!) < START_PART * largest) at++;
  return at;
}
