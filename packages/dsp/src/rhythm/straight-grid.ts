import { ONSET_RATE } from './onset-envelope.ts';

/** Equidistant beats in hops of the onset curve. */
export interface StraightGrid {
  /** Hops per beat. */
  readonly periodHops: number;
  /** Position of one beat in hops; the others are an integer number of periods away. */
  readonly originHop: number;
  /** Fraction of the onset strength in windows where the grid keeps its phase, 0 to 1. */
  readonly coherence: number;
}

/** Window in which the tempo is assumed constant: 6 s. */
const WINDOW_HOPS = Math.round(6 * ONSET_RATE);
/** Subdivisions of the beat that are searched: at least one of them continues when patterns change. */
const DIVISIONS = [1, 2, 4];
/** Relative search range around the given tempo, and that of the refinement. */
const REACHES = [0.008, 0.0008];
const STEPS = 400;
/** Largest shift of the first or last beat when the tempo is rounded to an integer. */
const WHOLE_DEVIATION_SECONDS = 0.008;
/** Cosine of an eighth of a cycle: windows with a smaller phase error agree. */
const COS_IN_PHASE = Math.SQRT1_2;
/** Histogram bins per period. */
const BINS = 48;

/**
 * Fits a grid of constant tempo to tracked beats.
 *
 * The period is the peak of the Fourier transform of the whole onset curve at the beat, its half and its quarter; the
 * phase is that of most beats.
 *
 * @param envelope onset strength per hop
 * @param positions beats in hops, ascending
 * @returns null for fewer than eight beats and for curves without periodicity
 * @see Grosche and Müller, "Extracting predominant local pulse information from music recordings", IEEE TASLP 19, 2011
 */
export function findStraightGrid(envelope: Float32Array, positions: readonly number[]): StraightGrid | null {
  if (positions.length < 8) return null;
  const intervals = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  let frequency = 1 / (intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 1);
  let coherence = 0;
  for (const reach of REACHES) {
    const windows = DIVISIONS.map((division) => windowSums(envelope, division * frequency));
    let best = { frequency, power: -1, coherence: 0 };
    for (let step = -STEPS; step <= STEPS; step++) {
      const tried = frequency * (1 + (reach * step) / STEPS);
      let power = 0;
      let strongest = { sum: 0, coherence: 0 };
      DIVISIONS.forEach((division, index) => {
        const found = inPhase(windows[index] ?? [], division * (tried - frequency));
        power += found.sum * found.sum;
        if (found.sum > strongest.sum) strongest = found;
      });
      if (power > best.power) best = { frequency: tried, power, coherence: strongest.coherence };
    }
    frequency = best.frequency;
    coherence = best.coherence;
  }
  if (coherence === 0) return null;
  // Music of constant tempo usually has an integer tempo, which is used if the measurement allows it.
  const bpm = 60 * ONSET_RATE * frequency;
  const whole = Math.round(bpm);
  const deviationHops = (Math.abs(whole / bpm - 1) * envelope.length) / 2;
  const periodHops =
    deviationHops < WHOLE_DEVIATION_SECONDS * ONSET_RATE ? (60 * ONSET_RATE) / whole : 1 / frequency;
  return { periodHops, coherence, originHop: commonPhase(positions, periodHops) * periodHops };
}

/** Returns the beats of a grid between two hops. */
export function beatsOfGrid(
  { periodHops, originHop }: StraightGrid,
  fromHop: number,
  toHop: number,
): number[] {
  const beats: number[] = [];
  const first = Math.ceil((fromHop - originHop) / periodHops);
  for (let index = first; originHop + index * periodHops <= toHop; index++)
    beats.push(originHop + index * periodHops);
  return beats;
}

interface WindowSum {
  readonly re: number;
  readonly im: number;
  readonly centre: number;
  /** Sum of the onset strength. */
  readonly onsets: number;
}

/** Returns the Fourier transform of each window at one frequency (cycles per hop), with the phase relative to hop 0. */
function windowSums(envelope: Float32Array, frequency: number): WindowSum[] {
  const sums: WindowSum[] = [];
  const radiansPerHop = 2 * Math.PI * frequency;
  for (let start = 0; start < envelope.length; start += WINDOW_HOPS) {
    const end = Math.min(envelope.length, start + WINDOW_HOPS);
    let onsets = 0;
    for (let hop = start; hop < end; hop++) onsets += envelope[hop] ?? 0;
    const mean = onsets / (end - start);
    let re = 0;
    let im = 0;
    for (let hop = start; hop < end; hop++) {
      const value = (envelope[hop] ?? 0) - mean;
      re += value * Math.cos(radiansPerHop * hop);
      im -= value * Math.sin(radiansPerHop * hop);
    }
    sums.push({ re, im, centre: (start + end) / 2, onsets });
  }
  return sums;
}

/** Sums the windows at a slightly different frequency; returns the fraction of the onsets in windows that agree too. */
function inPhase(windows: readonly WindowSum[], off: number): { sum: number; coherence: number } {
  let re = 0;
  let im = 0;
  let onsets = 0;
  const turned = new Float64Array(2 * windows.length);
  for (const [index, window] of windows.entries()) {
    const angle = -2 * Math.PI * off * window.centre;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const real = window.re * cos - window.im * sin;
    const imaginary = window.re * sin + window.im * cos;
    turned[2 * index] = real;
    turned[2 * index + 1] = imaginary;
    re += real;
    im += imaginary;
    onsets += window.onsets;
  }
  const sum = Math.hypot(re, im);
  let agreeing = 0;
  for (const [index, window] of windows.entries()) {
    const real = turned[2 * index] ?? 0;
    const imaginary = turned[2 * index + 1] ?? 0;
    const along = real * re + imaginary * im;
    if (along > COS_IN_PHASE * sum * Math.hypot(real, imaginary)) agreeing += window.onsets;
  }
  return { sum, coherence: onsets > 0 ? agreeing / onsets : 0 };
}

/** Returns the phase of most beats, 0 to 1: the mean around the peak of their histogram. */
function commonPhase(positions: readonly number[], periodHops: number): number {
  const phases = positions.map((position) => position / periodHops - Math.floor(position / periodHops));
  const counts = new Float64Array(BINS);
  for (const phase of phases) {
    const bin = Math.floor(phase * BINS) % BINS;
    for (const near of [-1, 0, 1]) {
      const at = (bin + near + BINS) % BINS;
      counts[at] = (counts[at] ?? 0) + (near === 0 ? 2 : 1);
    }
  }
  const top = (counts.indexOf(Math.max(...counts)) + 0.5) / BINS;
  const offsets = phases
    .map((phase) => phase - top - Math.round(phase - top))
    .filter((offset) => Math.abs(offset) <= 2 / BINS);
  return top + offsets.reduce((sum, offset) => sum + offset, 0) / Math.max(1, offsets.length);
}
