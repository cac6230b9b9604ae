import { gridBounds } from '@stem-studio/contract/limits';
import { useState } from 'react';
import { bpmText } from '../../base/format.ts';
import styles from './grid-panel.module.css';

/** The tempo of a grid, to be typed: Enter or leaving sets it, Escape does not. */
export function TempoField({
  tempo,
  isOff,
  onSet,
}: {
  tempo: number;
  isOff: boolean;
  onSet: (bpm: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = tempo > 0 ? bpmText(tempo) : '';
  const bpm = Number((typed ?? '').replace(',', '.'));
  const isGood = Number.isFinite(bpm) && bpm >= gridBounds.minBpm && bpm <= gridBounds.maxBpm;
  const done = (isKept: boolean) => {
    if (isKept && typed !== null && typed !== shown && isGood) onSet(Math.round(bpm * 100) / 100);
    setTyped(null);
  };
  return (
    <label className={styles['tempo']}>
      <input
        inputMode="decimal"
        aria-label="Tempo in beats a minute"
        aria-invalid={typed !== null && !isGood}
        title={`An even tempo about the beat at the playhead, ${gridBounds.minBpm} to ${gridBounds.maxBpm}`}
        value={typed ?? shown}
        disabled={isOff}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => done(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') done(true);
          if (event.key === 'Escape') done(false);
        }}
      />
      <span aria-hidden="true">bpm</span>
    </label>
  );
}
