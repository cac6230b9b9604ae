import type { ProjectState } from '../resources/project.ts';
import type { EditSpan } from './clip-parts.ts';

type TimeMap = ProjectState['time_map'];

/** Returns the time of the song at a position on the timeline, in ms. */
export function songMsAt(map: TimeMap, ms: number): number {
  const entry = map.findLast(({ start_ms }) => start_ms <= ms);
  return entry ? entry.from_ms + ms - entry.start_ms : ms;
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
        { start_ms, from_ms: Math.min(songMsAt(time_map, end_ms), duration_ms) },
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
