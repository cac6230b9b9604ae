import type { BeatGrid, GridEdit, RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import { Button } from '../../ui/button.tsx';
import { alternativeEdit, alternativeLabel, alternativeTitle } from './alternative-text.ts';
import styles from './grid-panel.module.css';

/**
 * Buttons for the other rhythms that the analysis finds possible, the most probable first.
 *
 * They change the detected grid, so that they are absent once it was edited; undo brings them back.
 */
export function GridAlternatives({
  grid,
  alternatives,
  onEdit,
}: {
  grid: BeatGrid;
  alternatives: readonly RhythmAlternative[];
  onEdit: (edit: GridEdit) => void;
}) {
  if (grid.grid_source !== 'detected' || grid.grid_locked || alternatives.length === 0) return null;
  return (
    <div className={styles['group']} role="group" aria-label="Alternatives">
      <span aria-hidden="true">Or</span>
      {alternatives.map((alternative) => {
        const label = alternativeLabel(alternative);
        const percent = Math.round(100 * alternative.probability);
        return (
          <Button
            key={label}
            small
            title={alternativeTitle(alternative, grid.tempo, percent)}
            onClick={() => onEdit(alternativeEdit(alternative))}
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}
