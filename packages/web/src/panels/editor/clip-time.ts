import { sourceMsAt, warpMsAt, warpOf } from '@stem-studio/contract/projects/warp';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';

/** Where a clip plays its recording. */
export interface ClipTime {
  /** Position in the recording at a position of the timeline, both in seconds. */
  readonly recordedAt: (seconds: number) => number;
  /** Position on the timeline of a position in the recording, both in seconds. */
  readonly timelineAt: (seconds: number) => number;
}

/** Returns where a clip plays its recording, through its warp and its direction. */
export function clipTimeOf(state: ProjectState, clip: Clip): ClipTime {
  const warp = warpOf(state, clip);
  const lengthMs = state.sources.find(({ source }) => source === clip.source)?.length_ms ?? 0;
  const turned = (ms: number) => (clip.is_reversed ? lengthMs - ms : ms);
  return {
    recordedAt: (seconds) => turned(sourceMsAt(warp, clip.from_ms + seconds * 1000 - clip.start_ms)) / 1000,
    timelineAt: (seconds) => (warpMsAt(warp, turned(seconds * 1000)) - clip.from_ms + clip.start_ms) / 1000,
  };
}

/** Returns the positions on the timeline at which the tempo of a clip changes, in ms. */
export function warpMarksOf(state: ProjectState, clip: Clip): number[] {
  const end = clip.start_ms + clip.length_ms;
  return (warpOf(state, clip)?.points ?? [])
    .map(({ at_ms }) => at_ms - clip.from_ms + clip.start_ms)
    .filter((ms) => ms > clip.start_ms && ms < end);
}
