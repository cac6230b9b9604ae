import type { BeatPositions } from '@stem-studio/contract/projects/quantise-notes';
import type { TimelineContent } from '../../../canvas/timeline-canvas.ts';

/** Most by which a bar begins away from its beat, in seconds. */
const SAME_SECONDS = 0.02;

/**
 * Returns the beats of the timeline as notes snap to them.
 *
 * @param signature time signature of the song, such as `4/4`; null if it is unknown
 */
export function beatPositions(
  { beats, downbeats }: Pick<TimelineContent, 'beats' | 'downbeats'>,
  signature: string | null,
): BeatPositions {
  const [first = 0] = downbeats;
  const bar = beats.findIndex((seconds) => Math.abs(seconds - first) < SAME_SECONDS);
  return {
    beatsMs: beats.map((seconds) => seconds * 1000),
    firstBar: Math.max(0, bar),
    quartersPerBeat: signature === '6/8' ? 1.5 : 1,
  };
}
