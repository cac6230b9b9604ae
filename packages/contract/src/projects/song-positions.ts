import type { ProjectState } from '../resources/project.ts';
import { songRuns } from './time-map.ts';

/** Parts of a project that say where the time of the song is on its timeline. */
export type SongTimeline = Pick<ProjectState, 'time_map' | 'duration_ms'>;

/** Returns times of the song where they are on the timeline, in seconds; removed ones are omitted. */
export function timesOnTimeline(
  { time_map, duration_ms }: SongTimeline,
  seconds: readonly number[],
): number[] {
  return songRuns(time_map, duration_ms).flatMap(({ fromMs, toMs, timelineMs }) =>
    seconds.filter((at) => at * 1000 >= fromMs && at * 1000 < toMs).map((at) => timelineMs(at * 1000) / 1000),
  );
}

/** Returns spans of the song where they are on the timeline, in seconds; one that was cut is shorter. */
export function spansOnTimeline<T extends { readonly start: number; readonly end: number }>(
  { time_map, duration_ms }: SongTimeline,
  spans: readonly T[],
): T[] {
  return songRuns(time_map, duration_ms).flatMap(({ fromMs, toMs, timelineMs }) =>
    spans
      .filter(({ start, end }) => end * 1000 > fromMs && start * 1000 < toMs)
      .map((span) => ({
        ...span,
        start: timelineMs(Math.max(span.start * 1000, fromMs)) / 1000,
        end: timelineMs(Math.min(span.end * 1000, toMs)) / 1000,
      })),
  );
}

/** Returns cue points of the song where they are on the timeline; removed ones are omitted. */
export function cuesOnTimeline<T extends { readonly position_ms: number }>(
  { time_map, duration_ms }: SongTimeline,
  cues: readonly T[],
): T[] {
  return songRuns(time_map, duration_ms).flatMap(({ fromMs, toMs, timelineMs }) =>
    cues
      .filter(({ position_ms }) => position_ms >= fromMs && position_ms < toMs)
      .map((cue) => ({ ...cue, position_ms: timelineMs(cue.position_ms) })),
  );
}
