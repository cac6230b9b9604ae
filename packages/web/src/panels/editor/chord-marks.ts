import type { Lane } from '@stem-studio/contract/resources/project';
import { pitchText, transposedChord } from '../../base/key-text.ts';
import type { SongSpan } from '../../state/song-analysis.ts';

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
 * Returns the chords of the timeline as they sound, spelled in the key of the song: transposed with the clips, and as one
 * where the same chord continues.
 *
 * @param chords by their start, with sharps
 * @param key key of the song with sharps; empty if it is unknown
 */
export function soundingChords(
  chords: readonly SongSpan[],
  transpositions: readonly Transposition[],
  key: string,
): SongSpan[] {
  const list: SongSpan[] = [];
  for (const chord of chords) {
    for (const part of partsOf(chord, transpositions)) {
      const label = pitchText(part.label, key);
      const before = list.at(-1);
      const isContinued = before?.label === label && part.start - before.end < SHORTEST_SECONDS;
      if (before && isContinued) list[list.length - 1] = { ...before, end: part.end };
      else list.push({ ...part, label });
    }
  }
  return list;
}

/** Returns a chord in parts of one transposition each. */
function partsOf(chord: SongSpan, transpositions: readonly Transposition[]): SongSpan[] {
  const parts: SongSpan[] = [];
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
  const last = parts.at(-1);
  if (last) last.end = chord.end;
  return parts.length > 0 ? parts : [chord];
}
