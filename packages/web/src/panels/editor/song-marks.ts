import { songMsAt, songRuns } from '@stem-studio/contract/projects/time-map';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';
import type { SongSpan } from '../../state/song-analysis.ts';

/**
 * Returns beats, bars, sections, chords and cue points at their positions on the timeline of a project, in seconds.
 * What was removed from the song is omitted, and a section or chord that was cut is shorter.
 */
export function onTimeline(
  content: TimelineContent,
  { time_map, duration_ms }: Pick<ProjectState, 'time_map' | 'duration_ms'>,
): TimelineContent {
  const runs = songRuns(time_map, duration_ms);
  const times = (seconds: readonly number[]) =>
    runs.flatMap(({ fromMs, toMs, timelineMs }) =>
      seconds
        .filter((at) => at * 1000 >= fromMs && at * 1000 < toMs)
        .map((at) => timelineMs(at * 1000) / 1000),
    );
  const spans = (list: readonly SongSpan[]) =>
    runs.flatMap(({ fromMs, toMs, timelineMs }) =>
      list
        .filter(({ start, end }) => end * 1000 > fromMs && start * 1000 < toMs)
        .map((span) => ({
          ...span,
          start: timelineMs(Math.max(span.start * 1000, fromMs)) / 1000,
          end: timelineMs(Math.min(span.end * 1000, toMs)) / 1000,
        })),
    );
  return {
    beats: times(content.beats),
    downbeats: times(content.downbeats),
    sections: spans(content.sections),
    chords: spans(content.chords),
    cues: runs.flatMap(({ fromMs, toMs, timelineMs }) =>
      content.cues
        .filter(({ position_ms }) => position_ms >= fromMs && position_ms < toMs)
        .map((cue) => ({ ...cue, position_ms: timelineMs(cue.position_ms) })),
    ),
  };
}

/** Returns the end of a project on the timeline: of its last clip or of the song, in ms. */
export function endMsOf({ lanes, time_map, duration_ms }: ProjectState): number {
  const clips = lanes.flatMap(({ clips: all }) => all.map(({ start_ms, length_ms }) => start_ms + length_ms));
  const { start_ms = 0, from_ms = 0, rate = 1 } = time_map.at(-1) ?? {};
  const song =
    songMsAt(time_map, start_ms) >= duration_ms ? start_ms : start_ms + (duration_ms - from_ms) / rate;
  return Math.max(1, song, ...clips);
}
