import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import { Button, IconButton } from '../../ui/button.tsx';
import part from '../../ui/track-part.module.css';
import { detectedText, gridSummary, stepNames } from './grid-text.ts';
import type { GridControls } from './use-grid-controls.ts';

/** Summary of the beat grid, and the actions on the whole grid: lock, undo, redo, reset. */
export function GridHeader({ grid, controls }: { grid: BeatGrid; controls: GridControls }) {
  const { edit } = controls;
  const isLocked = grid.grid_locked;
  return (
    <div className={part['head']}>
      <h3>Beat grid</h3>
      <p role="status" title={detectedText(grid)}>
        {gridSummary(grid)}
      </p>
      <Button
        small
        icon="lock"
        aria-pressed={isLocked}
        title={isLocked ? 'Unlock grid' : 'Lock grid'}
        onClick={() => edit({ edit: isLocked ? 'unlock' : 'lock' })}
      >
        {isLocked ? 'Locked' : 'Lock'}
      </Button>
      <IconButton
        small
        icon="undo"
        label={grid.undo ? `Undo: ${stepNames[grid.undo]} (Ctrl Z)` : 'Nothing to undo'}
        disabled={isLocked || grid.undo === null}
        onClick={() => edit({ edit: 'undo' })}
      />
      <IconButton
        small
        icon="redo"
        label={grid.redo ? `Redo: ${stepNames[grid.redo]} (Ctrl Shift Z)` : 'Nothing to redo'}
        disabled={isLocked || grid.redo === null}
        onClick={() => edit({ edit: 'redo' })}
      />
      <Button
        small
        disabled={isLocked || grid.grid_source === 'detected'}
        title={detectedText(grid) || 'The detected grid is in use'}
        onClick={() => edit({ edit: 'use_detected' })}
      >
        Reset to detected
      </Button>
    </div>
  );
}
