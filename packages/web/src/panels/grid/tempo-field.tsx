import { gridBounds } from '@stem-studio/contract/limits';
import { useState } from 'react';
import { bpmText } from '../../base/format.ts';
import styles from './grid-panel.module.css';

/** Text field for the tempo of a grid in BPM. Enter or leaving the field sets it, Escape cancels. */
export function TempoField({
  tempo,
  isDisabled,
  onSet,
}: {
  tempo: number;
  isDisabled: boolean;
  onSet: (bpm: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = tempo > 0 ? bpmText(tempo) : '';
  const bpm = Number((typed ?? '').replace(',', '.'));
  const isValid = Number.isFinite(bpm) && bpm >= gridBounds.minBpm && bpm <= gridBounds.maxBpm;
  const done = (isKept: boolean) => {
    if (isKept && typed !== null && typed !== shown && isValid) onSet(Math.round(bpm * 100) / 100);
    setTyped(null);
  };
  return (
    <label className={styles['tempo']}>
      <input
        inputMode="decimal"
        aria-label="Tempo in BPM"
        aria-invalid={typed !== null && !isValid}
        title={`Constant tempo, ${gridBounds.minBpm}–${gridBounds.maxBpm} BPM`}
        value={typed ?? shown}
        disabled={isDisabled}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => done(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') done(true);
          if (event.key === 'Escape') done(false);
        }}
      />
      <span aria-hidden="true">BPM</span>
    </label>
  );
}
