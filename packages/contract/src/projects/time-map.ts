import type { ProjectState } from '../resources/project.ts';
import type { EditSpan } from './clip-parts.ts';

type TimeMap = ProjectState['time_map'];

/** Returns the time of the song at a position on the timeline, in ms. */
export function songMsAt(map: TimeMap, ms: number): number {
  const entry = entryAt(map, ms);
  return entry ? entry.from_ms + (ms - entry.start_ms) * entry.rate : ms;
}

function entryAt(map: TimeMap, ms: number): TimeMap[number] | undefined {
  return map.findLast(({ start_ms }) => start_ms <= ms);
}

/** Part of the timeline on which the song runs without a jump, at one tempo after another. */
export interface SongRun {
  /** First time of the song in it, in ms. */
  readonly fromMs: number;
  /** End of the song in it, exclusive, in ms. */
  readonly toMs: number;
  /** Returns the position on the timeline of a time of the song in it, in ms. */
  readonly timelineMs: (songMs: number) => number;
}

/** Most by which two times are the same position, in ms. */
const SAME_MS = 1e-6;

/**
 * Returns the parts of the timeline on which the song runs without a jump, in their order.
 *
 * @param durationMs length of the song
 */
export function songRuns(map: TimeMap, durationMs: number): SongRun[] {
  const ends = map.map((entry, index) => {
    const next = map[index + 1];
    return next
      ? entry.from_ms + (next.start_ms - entry.start_ms) * entry.rate
      : Math.max(durationMs, entry.from_ms);
  });
  const runs: { first: number; last: number }[] = [];
  for (const [index, entry] of map.entries()) {
    const end = ends[index - 1];
    const run = runs.at(-1);
    if (run && end !== undefined && Math.abs(end - entry.from_ms) < SAME_MS) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(({ first, last }) => {
    const entries = map.slice(first, last + 1);
    return {
      fromMs: entries[0]?.from_ms ?? 0,
      toMs: ends[last] ?? durationMs,
      timelineMs: (songMs) => {
        const entry = entries[Math.max(0, firstAfter(entries, songMs) - 1)];
        return entry ? entry.start_ms + (songMs - entry.from_ms) / entry.rate : songMs;
      },
    };
  });
}

/** Returns the index of the first entry that begins after a time of the song. */
function firstAfter(entries: TimeMap, songMs: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.from_ms ?? 0) > songMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the state whose time map and markers lack a span: what follows it moves to its start. */
export function withoutTime(state: ProjectState, { start_ms, end_ms }: EditSpan): ProjectState {
  const { time_map, markers, duration_ms } = state;
  const lengthMs = end_ms - start_ms;
  const isAfterSong = songMsAt(time_map, start_ms) >= duration_ms;
  const changedMap: TimeMap = isAfterSong
    ? time_map
    : [
        ...time_map.filter((entry) => entry.start_ms < start_ms),
        {
          start_ms,
          from_ms: Math.min(songMsAt(time_map, end_ms), duration_ms),
          rate: entryAt(time_map, end_ms)?.rate ?? 1,
        },
        ...time_map
          .filter((entry) => entry.start_ms > end_ms)
          .map((entry) => ({ ...entry, start_ms: entry.start_ms - lengthMs })),
      ];
  const hasMarkers = markers.some((marker) => marker.start_ms >= start_ms);
  const changedMarkers = hasMarkers
    ? markers.flatMap((marker) => {
        if (marker.start_ms < start_ms) return [marker];
        return marker.start_ms < end_ms ? [] : [{ ...marker, start_ms: marker.start_ms - lengthMs }];
      })
    : markers;
  if (isAfterSong && !hasMarkers) return state;
  return { ...state, time_map: changedMap, markers: changedMarkers };
}
