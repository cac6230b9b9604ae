import {
  cuesOnTimeline,
  type SongTimeline,
  spansOnTimeline,
  timesOnTimeline,
} from '@stem-studio/contract/projects/song-positions';
import { songMsAt } from '@stem-studio/contract/projects/time-map';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { TimelineContent } from '../../canvas/timeline-canvas.ts';

/**
 * Returns beats, bars, sections, chords and cue points at their positions on the timeline of a project, in seconds.
 * What was removed from the song is omitted, and a section or chord that was cut is shorter.
 */
export function onTimeline(content: TimelineContent, timeline: SongTimeline): TimelineContent {
  return {
    beats: timesOnTimeline(timeline, content.beats),
    downbeats: timesOnTimeline(timeline, content.downbeats),
    sections: spansOnTimeline(timeline, content.sections),
    chords: spansOnTimeline(timeline, content.chords),
    cues: cuesOnTimeline(timeline, content.cues),
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
