import { findPitchPath } from './pitch-path.ts';
import { createPlaneLender, type PlaneLender } from './planes.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';

/** The bass is looked for below this. */
const searchHz = 1000;
/** Everything lower counts fully as bass where nothing is known of its pitch; nothing above the second does. */
const plainHz = { from: 140, to: 320, weight: 0.4 } as const;
/** How far up the harmonics of the bass are taken. */
const harmonicHz = { from: 140, to: 330 } as const;
const toothBins = 1.6;

/**
 * The share of each bin that belongs to the bass: the lowest pitch with the harmonics near it, and weakly what is
 * low without belonging to it.
 *
 * @param magnitude {@link binCount} values a frame
 * @param struck the share of the drums, of the same shape; the bass has a part of the rest
 * @param planes lends the result
 * @see Ryynänen and Klapuri, Automatic Transcription of Melody, Bass Line, and Chords in Polyphonic Music (2008),
 *   for following the bass line as a path of harmonic salience
 */
export function bassShare(
  magnitude: Float32Array,
  struck: Float32Array,
  planes: PlaneLender = createPlaneLender(),
): Float32Array {
  const frames = magnitude.length / binCount;
  const searchBins = Math.ceil(searchHz / binHz);
  const strength = planes.take(frames * searchBins);
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < searchBins; k++) {
      const at = t * binCount + k;
      const weight = 1 - 0.9 * smoothStep(k * binHz, 200, 500);
      strength[t * searchBins + k] = weight * (1 - (struck[at] as number)) * (magnitude[at] as number);
    }
  }
  const path = findPitchPath(strength, searchBins, binHz, {
    minHz: 32,
    maxHz: 250,
    stepSemitones: 0.5,
    harmonics: 5,
    harmonicDecay: 0.7,
    valleyWeight: 0,
    maxGlideSteps: 1,
    glideCost: 0.2,
    jumpCost: 2,
  });
  planes.give(strength);
  const share = planes.take(magnitude.length);
  const usedBins = Math.ceil(Math.max(plainHz.to, harmonicHz.to) / binHz) + 1;
  for (let t = 0; t < frames; t++) {
    const pitchHz = path.hz[t] as number;
    for (let k = 0; k < usedBins; k++) {
      const at = t * binCount + k;
      share[at] = (1 - (struck[at] as number)) * bassWeight(k * binHz, pitchHz);
    }
  }
  return share;
}

function bassWeight(hz: number, pitchHz: number): number {
  const plain = plainHz.weight * (1 - smoothStep(hz, plainHz.from, plainHz.to));
  // What is well below the pitch is the bass's as well: nothing else plays there.
  if (hz < 0.6 * pitchHz) return Math.max(plain, 1 - smoothStep(hz, harmonicHz.from, harmonicHz.to));
  const harmonic = Math.max(1, Math.round(hz / pitchHz));
  const width = toothBins + (0.006 * hz) / binHz;
  const offset = Math.abs(hz - harmonic * pitchHz) / binHz / width;
  const tooth = Math.exp(-0.5 * offset ** 4);
  return Math.max(plain, tooth * (1 - smoothStep(hz, harmonicHz.from, harmonicHz.to)));
}
