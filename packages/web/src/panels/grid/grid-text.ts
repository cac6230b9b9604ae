import type { BeatGrid, GridStepName } from '@stem-studio/contract/resources/beat-grid';
import { bpmText } from '../../base/format.ts';

/** What each edit of a grid is called where it can be undone. */
export const stepWords: Readonly<Record<GridStepName, string>> = {
  multiply: 'other multiple',
  shift_beats: 'shift by beats',
  shift_ms: 'shift',
  set_downbeat: 'place of the one',
  align: 'beat set by ear',
  set_tempo: 'tempo',
  tap: 'tapping',
  set_time_signature: 'time signature',
  use_detected: 'return to what was heard',
  track_tempo: 'tempo of the track',
  other_sound: 'beats of another sound',
};

/** A grid in a line: `120.00 bpm · 4/4 · your own · locked`. */
export function gridSummary(grid: BeatGrid): string {
  const tempo = grid.tempo > 0 ? `${bpmText(grid.tempo)} bpm` : 'no beats';
  const pace = grid.tempo > 0 && !grid.tempo_stable ? 'follows the drift' : '';
  const whose = grid.grid_source === 'manual' ? 'your own' : 'as it was heard';
  return [tempo, grid.time_signature, pace, whose, grid.grid_locked ? 'locked' : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** What was heard, where it is not what holds: `Heard: 128 bpm, 4/4`. */
export function heardWords({ grid_source, detected }: BeatGrid): string {
  if (grid_source === 'detected') return '';
  if (detected.beats === 0) return 'Heard: no beats';
  return `Heard: ${bpmText(detected.tempo)} bpm, ${detected.time_signature}`;
}
