import type { Lane } from '../resources/project.ts';
import { transposedChord } from '../transposed-key.ts';

/** Chord of a song or a project, in seconds. */
export interface ChordSpan {
  readonly start: number;
  readonly end: number;
  /** With sharps, such as `F#m`. */
  readonly label: string;
}

/** Part of the timeline whose clips are transposed alike, in ms. */
export interface Transposition {
  readonly startMs: number;
  readonly endMs: number;
  readonly semitones: number;
}

/** Shortest part of a chord that is shown, in seconds: clips and chords do not end at the same sample. */
const SHORTEST_SECONDS = 0.02;

/**
 * Returns the parts of the timeline in which all clips that sound are transposed by the same whole number of semitones,
 * without those that are not transposed. Drums have no pitch and are not counted.
 */
export function transpositionsOf(lanes: readonly Pick<Lane, 'id' | 'clips'>[]): Transposition[] {
  const clips = lanes.filter(({ id }) => id !== 'drums').flatMap((lane) => lane.clips);
  if (clips.every(({ semitones }) => semitones === 0)) return [];
  const events = clips
    .flatMap(({ start_ms, length_ms, semitones }) => [
      { ms: start_ms, semitones, change: 1 },
      { ms: start_ms + length_ms, semitones, change: -1 },
    ])
    .toSorted((one, other) => one.ms - other.ms);
  const sounding = new Map<number, number>();
  const parts: Transposition[] = [];
  for (const [index, { ms, semitones, change }] of events.entries()) {
    const count = (sounding.get(semitones) ?? 0) + change;
    if (count > 0) sounding.set(semitones, count);
    else sounding.delete(semitones);
    const endMs = events[index + 1]?.ms ?? ms;
    const [only = 0] = sounding.keys();
    if (endMs === ms || sounding.size !== 1 || only === 0 || !Number.isInteger(only)) continue;
    const before = parts.at(-1);
    if (before?.endMs === ms && before.semitones === only) parts[parts.length - 1] = { ...before, endMs };
    else parts.push({ startMs: ms, endMs, semitones: only });
  }
  return parts;
}

/**
 * Returns the chords of the timeline as they sound: transposed with the clips, and as one where the same chord continues.
 *
 * @param chords on the timeline, by their start
 * @spec Notes of lanes
 */
export function soundingChords(
  chords: readonly ChordSpan[],
  transpositions: readonly Transposition[],
): ChordSpan[] {
  const list: ChordSpan[] = [];
  for (const chord of chords) {
    for (const part of partsOf(chord, transpositions)) {
      const before = list.at(-1);
      const isContinued = before?.label === part.label && part.start - before.end < SHORTEST_SECONDS;
      if (before && isContinued) list[list.length - 1] = { ...before, end: part.end };
      else list.push(part);
    }
  }
  return list;
}

/** Returns a chord in parts of one transposition each. */
function partsOf(chord: ChordSpan, transpositions: readonly Transposition[]): ChordSpan[] {
  const parts: ChordSpan[] = [];
  let at = chord.start;
  const add = (end: number, semitones: number) => {
    if (end - at < SHORTEST_SECONDS) return;
    parts.push({ start: at, end, label: transposedChord(chord.label, semitones) });
    at = end;
  };
  for (const { startMs, endMs, semitones } of transpositions) {
    if (endMs <= at * 1000 || startMs >= chord.end * 1000) continue;
    add(Math.max(at, startMs / 1000), 0);
    add(Math.min(chord.end, endMs / 1000), semitones);
  }
  add(chord.end, 0);
  const last = parts.pop();
  return last ? [...parts, { ...last, end: chord.end }] : [chord];
}
