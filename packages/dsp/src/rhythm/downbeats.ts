import { strongestNear } from './beat-phase.ts';
import type { OnsetStrength } from './onset-envelope.ts';

/** Metre and phase of the bars. */
export interface Bars {
  /** Beats in a bar. */
  readonly beatsPerBar: 2 | 3 | 4;
  /** Index of the first downbeat. */
  readonly firstDownbeat: number;
}

/** Least ratio of the contrast of three beats per bar to that of four: most music is in four. */
const TRIPLE_MARGIN = 1.3;
/** Least contrast of three beats per bar, in standard errors. */
const TRIPLE_LEAST = 2.5;
/** Relative deviation below which accents count as equal. */
const LEAST_DEVIATION = 0.08;

/**
 * Detects beats per bar and downbeats from accents: changes of harmony and bass drums are more frequent on downbeats.
 *
 * For M beats per bar, the accents at each of the M phases are compared with those at the others, in standard errors;
 * the phase with the largest contrast wins.
 *
 * @param beats hops, ascending
 * @param isCompound whether each beat is divided in three: then a bar has two beats
 * @param chromaAt chroma between two positions in hops; undefined if it is unknown
 * @returns four beats per bar from the first beat on if there are too few beats or no accents
 * @see Davies and Plumbley, "A spectral difference approach to downbeat extraction in musical audio", EUSIPCO 2006
 */
export function findBars(
  onsets: OnsetStrength,
  beats: readonly number[],
  isCompound: boolean,
  chromaAt: (fromHop: number, toHop: number) => Float32Array | undefined,
): Bars {
  if (beats.length < 12) return { beatsPerBar: isCompound ? 2 : 4, firstDownbeat: 0 };
  const chromas = beats.map((beat, index) => chromaAt(beat, beats[index + 1] ?? beat + 1));
  const drum = standardize(beats.map((beat) => strongestNear(onsets.drum, beat)));
  const low = standardize(beats.map((beat) => strongestNear(onsets.low, beat)));
  const harmony = standardize(beats.map((_, index) => chromaChange(chromas, index)));
  const accents = beats.map((_, index) => {
    return HARMONY * (harmony[index] ?? 0) + DRUM * (drum[index] ?? 0) + LOW * (low[index] ?? 0);
  });
  if (isCompound) return { beatsPerBar: 2, firstDownbeat: strongestPhase(accents, 2).phase };
  const triple = strongestPhase(accents, 3);
  const quadruple = strongestPhase(accents, 4);
  return triple.contrast > Math.max(TRIPLE_MARGIN * quadruple.contrast, TRIPLE_LEAST)
    ? { beatsPerBar: 3, firstDownbeat: triple.phase }
    : { beatsPerBar: 4, firstDownbeat: quadruple.phase };
}
const HARMONY = 2;
const DRUM = 0.5;
const LOW = 0.5;

/** Returns the cosine distance between the chroma of the two beats before and the two beats from `index` on, 0 to 1. */
function chromaChange(chromas: readonly (Float32Array | undefined)[], index: number): number {
  let both = 0;
  let before = 0;
  let after = 0;
  for (let pitchClass = 0; pitchClass < 12; pitchClass++) {
    const old = (chromas[index - 1]?.[pitchClass] ?? 0) + (chromas[index - 2]?.[pitchClass] ?? 0);
    const now = (chromas[index]?.[pitchClass] ?? 0) + (chromas[index + 1]?.[pitchClass] ?? 0);
    both += old * now;
    before += old * old;
    after += now * now;
  }
  return before > 0 && after > 0 ? 1 - both / Math.sqrt(before * after) : 0;
}

function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const differs = deviation > Math.max(1e-9, LEAST_DEVIATION * mean);
  return values.map((value) => (differs ? (value - mean) / deviation : 0));
}

function strongestPhase(
  accents: readonly number[],
  beatsPerBar: number,
): { phase: number; contrast: number } {
  let best = { phase: 0, contrast: 0 };
  for (let phase = 0; phase < beatsPerBar; phase++) {
    const here = accents.filter((_, index) => index % beatsPerBar === phase);
    // The accents have mean 0, so that the mean here is the contrast with the others.
    const contrast = (here.reduce((sum, value) => sum + value, 0) / here.length) * Math.sqrt(here.length);
    if (contrast > best.contrast) best = { phase, contrast };
  }
  return best;
}
