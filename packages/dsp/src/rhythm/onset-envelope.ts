/** Sample rate of the input of the rhythm detection, in Hz. */
export const ONSET_SAMPLE_RATE = 22_050;
/** Samples between values of an onset curve. */
export const ONSET_HOP = 256;
/** Values of an onset curve per second: about 86. */
export const ONSET_RATE = ONSET_SAMPLE_RATE / ONSET_HOP;

/** Onset strength at each hop of 256 samples at 22,050 Hz in three frequency ranges; never negative. */
export interface OnsetStrength {
  /** Below 180 Hz: bass drum, bass. */
  readonly low: Float32Array;
  /** 180 Hz to 2.5 kHz: chords, voice, snare drum. */
  readonly middle: Float32Array;
  /** Above 2.5 kHz: cymbals, consonants, snare wires. */
  readonly high: Float32Array;
  /** Rise of the power below 90 Hz relative to its recent maximum, 0 to 1: bass drums stand out from bass notes. */
  readonly drum: Float32Array;
}

/** Half the width of the neighbourhood whose mean is subtracted: half a second. */
const MEAN_HOPS = Math.round(ONSET_RATE / 2);

/**
 * Onset strength (root mean square above the mean) below which a track has no onsets: a held chord has a tenth of it.
 */
const LEAST_STRENGTH = 0.01;
/**
 * Least onset strength of an event in all ranges together, and least number of events of a track.
 *
 * Held, swelling and gliding tones, vibrato and the fluctuation of noise stay below; the attacks of the softest music
 * are twice as strong.
 */
const EVENT = 0.15;
const LEAST_EVENTS = 4;
/** Least distance of two events in hops. */
const EVENT_HOPS = 8;

/**
 * Combines the low, middle and high onset curves.
 *
 * Each has the mean of its neighbourhood subtracted and is normalised by its own strength, so that a loud hi-hat does
 * not mask the rest. Silence and audio without onsets give zeros.
 */
export function onsetEnvelope(onsets: OnsetStrength): Float32Array {
  const curves = [onsets.low, onsets.middle, onsets.high].map((curve) => {
    const above = aboveMean(curve);
    return { above, strength: rootMeanSquare(above) };
  });
  const strongest = Math.max(...curves.map(({ strength }) => strength));
  const envelope = new Float32Array(onsets.low.length);
  if (strongest < LEAST_STRENGTH || countEvents(onsets) < LEAST_EVENTS) return envelope;
  for (const { above, strength } of curves) {
    // A range with hardly any onsets is not amplified to the level of the others.
    const gain = 1 / Math.max(strength, 0.1 * strongest);
    for (let hop = 0; hop < envelope.length; hop++)
      envelope[hop] = (envelope[hop] ?? 0) + gain * (above[hop] ?? 0);
  }
  return envelope;
}

function countEvents({ low, middle, high }: OnsetStrength): number {
  let events = 0;
  for (let hop = 0, last = -EVENT_HOPS; hop < low.length; hop++) {
    const total = (low[hop] ?? 0) + (middle[hop] ?? 0) + (high[hop] ?? 0);
    if (total < EVENT || hop - last < EVENT_HOPS) continue;
    events++;
    last = hop;
  }
  return events;
}

function aboveMean(curve: Float32Array): Float32Array {
  const sums = new Float64Array(curve.length + 1);
  for (let hop = 0; hop < curve.length; hop++) sums[hop + 1] = (sums[hop] ?? 0) + (curve[hop] ?? 0);
  return curve.map((value, hop) => {
    const from = Math.max(0, hop - MEAN_HOPS);
    const to = Math.min(curve.length, hop + MEAN_HOPS + 1);
    return Math.max(0, value - ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from));
  });
}

function rootMeanSquare(curve: Float32Array): number {
  if (curve.length === 0) return 0;
  return Math.sqrt(curve.reduce((sum, value) => sum + value * value, 0) / curve.length);
}
