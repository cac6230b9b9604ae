import { songMsAt } from '@stem-studio/contract/projects/time-map';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';
import type { SongSpan } from '../../state/song-analysis.ts';

type TimeMap = ProjectState['time_map'];

/** Part of the timeline on which the time of the song runs without a jump, in ms. */
interface Stretch {
  readonly startMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

function stretchesOf(map: TimeMap, durationMs: number): Stretch[] {
  return map.map(({ start_ms, from_ms }, index) => {
    const end = map[index + 1]?.start_ms;
    const toMs = end === undefined ? Math.max(durationMs, from_ms) : from_ms + end - start_ms;
    return { startMs: start_ms, fromMs: from_ms, toMs };
  });
}

/**
 * Returns beats, bars, sections, chords and cue points at their positions on the timeline of a project, in seconds.
 * What was removed from the song is omitted, and a section or chord that was cut is shorter.
 */
export function onTimeline(
  content: TimelineContent,
  { time_map, duration_ms }: Pick<ProjectState, 'time_map' | 'duration_ms'>,
): TimelineContent {
  const stretches = stretchesOf(time_map, duration_ms);
  const times = (seconds: readonly number[]) =>
    stretches.flatMap(({ startMs, fromMs, toMs }) =>
      seconds
        .filter((at) => at * 1000 >= fromMs && at * 1000 < toMs)
        .map((at) => at + (startMs - fromMs) / 1000),
    );
  const spans = (list: readonly SongSpan[]) =>
    stretches.flatMap(({ startMs, fromMs, toMs }) =>
      list
        .filter(({ start, end }) => end * 1000 > fromMs && start * 1000 < toMs)
        .map((span) => ({
          ...span,
          start: (Math.max(span.start * 1000, fromMs) - fromMs + startMs) / 1000,
          end: (Math.min(span.end * 1000, toMs) - fromMs + startMs) / 1000,
        })),
    );
  return {
    beats: times(content.beats),
    downbeats: times(content.downbeats),
    sections: spans(content.sections),
    chords: spans(content.chords),
    cues: stretches.flatMap(({ startMs, fromMs, toMs }) =>
      content.cues
        .filter(({ position_ms }) => position_ms >= fromMs && position_ms < toMs)
        .map((cue) => ({ ...cue, position_ms: cue.position_ms + startMs - fromMs })),
    ),
  };
}

/** Returns the end of a project on the timeline: of its last clip or of the song, in ms. */
export function endMsOf({ lanes, time_map, duration_ms }: ProjectState): number {
  const clips = lanes.flatMap(({ clips: all }) => all.map(({ start_ms, length_ms }) => start_ms + length_ms));
  const { start_ms = 0, from_ms = 0 } = time_map.at(-1) ?? {};
  const song = songMsAt(time_map, start_ms) >= duration_ms ? start_ms : start_ms + duration_ms - from_ms;
  return Math.max(1, song, ...clips);
}
