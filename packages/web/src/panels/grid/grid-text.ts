import type { BeatGrid, GridStepName } from '@stem-studio/contract/resources/beat-grid';
import { bpmText } from '../../base/format.ts';

/** Names of the edits of a grid, as undo and redo show them. */
export const stepNames: Readonly<Record<GridStepName, string>> = {
  multiply: 'tempo multiple',
  shift_beats: 'shift by beats',
  shift_ms: 'shift',
  set_downbeat: 'downbeat',
  align: 'align beat',
  set_tempo: 'tempo',
  tap: 'tap tempo',
  set_time_signature: 'time signature',
  use_detected: 'reset to detected',
  track_tempo: 'tempo of the track',
  other_sound: 'new audio',
};

/** Summary of a grid in one line, such as `120.00 BPM · 4/4 · manual · locked`. */
export function gridSummary(grid: BeatGrid): string {
  const tempo = grid.tempo > 0 ? `${bpmText(grid.tempo)} BPM` : 'no beats';
  const stability = grid.tempo > 0 && !grid.tempo_stable ? 'variable tempo' : '';
  return [tempo, grid.time_signature, stability, grid.grid_source, grid.grid_locked ? 'locked' : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** Text about the detected grid while another one is in use, such as `Detected: 128 BPM, 4/4`; empty otherwise. */
export function detectedText({ grid_source, detected }: BeatGrid): string {
  if (grid_source === 'detected') return '';
  if (detected.beats === 0) return 'Detected: no beats';
  return `Detected: ${bpmText(detected.tempo)} BPM, ${detected.time_signature}`;
}
