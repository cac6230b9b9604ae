import { ONSET_RATE } from '../rhythm/onset-envelope.ts';
import type { FeatureColumns } from './bar-features.ts';

/** Features of a section relative to the other sections of its track. */
export interface Passage {
  readonly bars: number;
  /** Level and onset density: 0 the lowest of all sections, 1 the highest. */
  readonly intensity: number;
  /** Increase of the intensity from the first to the second half. */
  readonly rise: number;
  /** Low onsets such as the bass drum: 0 none, 1 the most of all sections. */
  readonly drums: number;
  /** Probability of singing, 0 to 1. */
  readonly voice: number;
  /** Largest correlation with another section, −1 to 1; 0 if there is no other. */
  readonly repetition: number;
}

const LEVEL_WEIGHT = 0.6;
const TIMBRES = 12;

/**
 * Computes the features by which sections are named.
 *
 * @param sound.voice probability of singing in each second
 * @param edges starts of the bars and end of the last one in seconds
 * @param starts first bars of the sections
 */
export function describePassages(
  columns: FeatureColumns & { readonly voice: Float32Array },
  edges: readonly number[],
  starts: readonly number[],
): Passage[] {
  const { onsets, columnSeconds } = columns;
  const columnRate = 1 / columnSeconds;
  const level = columns.mfcc.map((column) => column[0] ?? 0);
  const raw = starts.map((bar, index) => {
    const next = starts[index + 1] ?? edges.length - 1;
    const [from, to] = [edges[bar] ?? 0, edges[next] ?? 0];
    const middle = (from + to) / 2;
    const busy = (start: number, end: number): number =>
      [onsets.low, onsets.middle, onsets.high].reduce((sum, curve) => {
        return sum + meanOf(curve, start * ONSET_RATE, end * ONSET_RATE);
      }, 0);
    const mean = (start: number, end: number): number => meanOf(level, start * columnRate, end * columnRate);
    return {
      bars: next - bar,
      level: mean(from, to),
      busy: busy(from, to),
      levelRise: mean(middle, to) - mean(from, middle),
      busyRise: busy(middle, to) - busy(from, middle),
      drums: meanOf(onsets.drum, from * ONSET_RATE, to * ONSET_RATE),
      voice: meanOf(columns.voice, from, to),
      portrait: portraitOf(columns, from * columnRate, to * columnRate),
    };
  });
  const levels = spanOf(raw.map(({ level: value }) => value));
  const busies = spanOf(raw.map(({ busy: value }) => value));
  const drums = Math.max(1e-9, ...raw.map(({ drums: value }) => value));
  const mean = meanPortrait(raw.map(({ portrait }) => portrait));
  return raw.map((one, index) => ({
    bars: one.bars,
    intensity: LEVEL_WEIGHT * levels.normalise(one.level) + (1 - LEVEL_WEIGHT) * busies.normalise(one.busy),
    rise: (LEVEL_WEIGHT * one.levelRise) / levels.width + ((1 - LEVEL_WEIGHT) * one.busyRise) / busies.width,
    drums: one.drums / drums,
    voice: one.voice,
    repetition: raw.reduce(
      (most, other, at) => {
        return at === index ? most : Math.max(most, correlationOf(one.portrait, other.portrait, mean));
      },
      raw.length > 1 ? -1 : 0,
    ),
  }));
}

/** Scales values to 0 (minimum) to 1 (maximum); 1 if all are equal. */
function spanOf(values: readonly number[]): { width: number; normalise: (value: number) => number } {
  const least = Math.min(...values);
  const width = Math.max(1e-9, Math.max(...values) - least);
  return { width, normalise: (value) => (width <= 1e-9 ? 1 : (value - least) / width) };
}

function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  const first = Math.max(0, Math.round(from));
  const last = Math.min(values.length, Math.round(to));
  let sum = 0;
  for (let at = first; at < last; at++) sum += values[at] ?? 0;
  return last > first ? sum / (last - first) : 0;
}

/** Returns mean chroma and mean timbre of a section. */
function portraitOf(columns: FeatureColumns, from: number, to: number): Float64Array {
  const portrait = new Float64Array(12 + TIMBRES);
  const chroma = Array.from({ length: 12 }, (_, row) => meanRow(columns.chroma, row, from, to));
  const most = Math.max(1e-9, ...chroma);
  for (let row = 0; row < 12; row++) portrait[row] = (chroma[row] ?? 0) / most;
  // Coefficients are in decibels: a fiftieth of them is comparable to chroma.
  for (let row = 0; row < TIMBRES; row++) portrait[12 + row] = meanRow(columns.mfcc, row + 1, from, to) / 50;
  return portrait;
}

function meanRow(columns: readonly Float32Array[], row: number, from: number, to: number): number {
  const first = Math.max(0, Math.round(from));
  const last = Math.min(columns.length, Math.round(to));
  let sum = 0;
  for (let at = first; at < last; at++) sum += columns[at]?.[row] ?? 0;
  return last > first ? sum / (last - first) : 0;
}

function meanPortrait(portraits: readonly Float64Array[]): Float64Array {
  return Float64Array.from({ length: 12 + TIMBRES }, (_, at) => {
    return portraits.reduce((sum, portrait) => sum + (portrait[at] ?? 0), 0) / Math.max(1, portraits.length);
  });
}

function correlationOf(left: Float64Array, right: Float64Array, mean: Float64Array): number {
  let both = 0;
  let leftPower = 0;
  let rightPower = 0;
  for (let at = 0; at < left.length; at++) {
    const x = (left[at] ?? 0) - (mean[at] ?? 0);
    const y = (right[at] ?? 0) - (mean[at] ?? 0);
    both += x * y;
    leftPower += x * x;
    rightPower += y * y;
  }
  return leftPower > 0 && rightPower > 0 ? both / Math.sqrt(leftPower * rightPower) : 0;
}
