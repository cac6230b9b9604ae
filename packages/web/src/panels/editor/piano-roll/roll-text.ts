import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import { countText } from '../../../base/format.ts';
import { pitchName } from '../../../base/note-text.ts';
import type { TimelineContent } from '../../../canvas/timeline-canvas.ts';
import { barText, spanAt } from '../../../state/song-analysis.ts';

const secondsText = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** Returns the text of the selected notes, or how many notes there are if none is selected. */
export function rollText(
  notes: readonly LaneNote[],
  selected: readonly LaneNote[],
  { beats, downbeats, chords }: Pick<TimelineContent, 'beats' | 'downbeats' | 'chords'>,
): string {
  const [first] = selected;
  if (!first) return notes.length === 0 ? 'No notes' : countText(notes.length, 'note');
  const seconds = first.start_ms / 1000;
  if (selected.length === 1) {
    const chord = spanAt(chords, seconds)?.label ?? '';
    return [
      pitchName(first.pitch),
      barText(beats, downbeats, seconds),
      `${secondsText(first.start_ms)} for ${secondsText(first.length_ms)}`,
      `velocity ${first.velocity}`,
      chord === '' ? '' : `chord ${chord}`,
    ]
      .filter((part) => part !== '')
      .join(', ');
  }
  const pitches = selected.map(({ pitch }) => pitch);
  const end = Math.max(...selected.map(({ start_ms, length_ms }) => start_ms + length_ms));
  return [
    `${countText(selected.length, 'note')} selected`,
    `${pitchName(Math.min(...pitches))} to ${pitchName(Math.max(...pitches))}`,
    `${secondsText(first.start_ms)} to ${secondsText(end)}`,
  ].join(', ');
}
