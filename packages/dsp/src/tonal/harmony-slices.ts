import type { HarmonySlice } from './chords.ts';

/** Length of a slice in seconds without beats. */
const SLICE_SECONDS = 0.5;

/**
 * Returns chroma and bass between neighbouring beats, each the median over the columns of a slice.
 *
 * The median is robust against drum hits. Beats are extrapolated before the first and after the last one.
 *
 * @param chroma columns of twelve numbers
 * @param bass columns of twelve numbers of the bass
 * @param columnSeconds seconds per column
 * @param beats seconds, ascending; without beats slices are half a second long
 * @param downbeats those of them that begin a bar
 * @returns slices from 0 to `durationSeconds` without gaps
 * @see Bello and Pickens, "A robust mid-level representation for harmonic content in music signals", ISMIR 2005
 */
export function sliceHarmony(features: {
  chroma: readonly Float32Array[];
  bass: readonly Float32Array[];
  columnSeconds: number;
  beats: readonly number[];
  downbeats: readonly number[];
  durationSeconds: number;
}): HarmonySlice[] {
  const { beats, durationSeconds, columnSeconds } = features;
  const edges = sliceEdges(beats, durationSeconds);
  const bars = new Set(features.downbeats);
  return edges.slice(1).map((end, index) => {
    const start = edges[index] ?? 0;
    const first = Math.round(start / columnSeconds);
    const last = Math.max(first + 1, Math.round(end / columnSeconds));
    return {
      start,
      end,
      chroma: medianOf(features.chroma.slice(first, last)),
      bass: medianOf(features.bass.slice(first, last)),
      isDownbeat: bars.has(start),
    };
  });
}

/** Returns the slice boundaries: 0, the beats with extrapolated ones at either end, and the end. */
function sliceEdges(beats: readonly number[], durationSeconds: number): number[] {
  if (durationSeconds <= 0) return [];
  const known = beats.length > 1 ? beats : [0, SLICE_SECONDS];
  const first = known[0] ?? 0;
  const last = known.at(-1) ?? 0;
  const lead = (known[1] ?? 0) - first;
  const trail = last - (known.at(-2) ?? 0);
  const before: number[] = [];
  for (let time = first - lead; time > 0.25 * lead; time -= lead) before.unshift(time);
  const after: number[] = [];
  for (let time = last + trail; time < durationSeconds - 0.25 * trail; time += trail) after.push(time);
  const inside = [...before, ...known, ...after].filter((time) => time > 0 && time < durationSeconds);
  return [0, ...inside, durationSeconds];
}

function medianOf(columns: readonly Float32Array[]): Float32Array {
  return Float32Array.from({ length: 12 }, (_, pitchClass) => {
    const values = columns.map((column) => column[pitchClass] ?? 0).sort((left, right) => left - right);
    const middle = (values.length - 1) / 2;
    return ((values[Math.floor(middle)] ?? 0) + (values[Math.ceil(middle)] ?? 0)) / 2;
  });
}
