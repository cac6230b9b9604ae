import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { BeatGrid, GridEdit } from '@stem-studio/contract/resources/beat-grid';
import { useStore } from '../../ui/use-store.ts';
import type { GridEditor } from './grid-editor.ts';
import type { GridAction } from './grid-keys.ts';
import { useGridEditor } from './use-grid-editor.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { type Taps, useTaps } from './use-taps.ts';

/** Actions of the tools and keys of the beat grid; edits at a position use that of the playhead. */
export interface GridControls {
  readonly editor: GridEditor;
  /** Whether an edit is being saved. */
  readonly isBusy: boolean;
  readonly taps: Taps;
  readonly edit: (edit: GridEdit) => void;
  /** Starts a bar at the beat nearest to the playhead. */
  readonly setDownbeat: () => void;
  /** Moves the grid so that its nearest beat is at the playhead. */
  readonly alignBeat: () => void;
  /** Sets an even tempo, in BPM, about the beat at the playhead. */
  readonly setTempo: (bpm: number) => void;
}

/** Connects a beat grid to its editor, tapping and the keyboard. */
export function useGridControls(
  grid: BeatGrid,
  player: SongPlayer | null,
  durationSeconds: number,
): GridControls {
  const editor = useGridEditor(grid.track_id);
  const isBusy = useStore(editor.state, (state) => state.isBusy);
  const positionSeconds = () => Math.min(durationSeconds, Math.max(0, player?.positionSeconds() ?? 0));
  const edit = (requested: GridEdit) => void editor.edit(requested);
  const taps = useTaps(player, (positions) => edit({ edit: 'tap', taps: [...positions] }));
  const controls: GridControls = {
    editor,
    isBusy,
    taps,
    edit,
    setDownbeat: () => edit({ edit: 'set_downbeat', at_seconds: positionSeconds() }),
    alignBeat: () => edit({ edit: 'align', at_seconds: positionSeconds() }),
    setTempo: (bpm) => edit({ edit: 'set_tempo', bpm, at_seconds: positionSeconds() }),
  };
  useGridKeys((action, event) => perform(controls, grid, action, event.timeStamp));
  return controls;
}

/** Performs a key of the beat grid that was pressed at `timeStampMs` of the page's clock. */
function perform(controls: GridControls, grid: BeatGrid, action: GridAction, timeStampMs: number): void {
  switch (action.do) {
    case 'tap':
      return controls.taps.tap(timeStampMs);
    case 'downbeat':
      return controls.setDownbeat();
    case 'align':
      return controls.alignBeat();
    case 'nudge':
      return controls.editor.nudge(action.ms);
    case 'edit':
      if (action.edit.edit === 'undo' && grid.undo === null) return;
      if (action.edit.edit === 'redo' && grid.redo === null) return;
      return controls.edit(action.edit);
  }
}
