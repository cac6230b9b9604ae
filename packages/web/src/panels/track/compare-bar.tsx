import type { PlayerState } from '@stem-studio/audio/player/player-state';
import { separationLetter, separationName } from '../../base/separation-text.ts';
import { buttonClass } from '../../ui/button.tsx';
import styles from './compare-bar.module.css';
import type { Comparison } from './comparison.ts';

/** Switches the player between the separations of a track; nothing where there is no choice. */
export function CompareBar({ comparison, state }: { comparison: Comparison; state: PlayerState }) {
  const { list, selected, offersSong } = comparison;
  if (list.length + (offersSong ? 1 : 0) < 2) return null;
  const { pendingSeparation, separationError } = state;
  return (
    <div className={styles['bar']} role="group" aria-label="Compare separations">
      <span className={styles['title']} title="Next: X. Previous: Shift + X">
        Compare
      </span>
      <span className={styles['choices']}>
        {offersSong && (
          <button
            type="button"
            className={buttonClass({ small: true })}
            aria-pressed={selected === null}
            onClick={() => comparison.select(null)}
          >
            Whole song
          </button>
        )}
        {list.map((separation, index) => (
          <button
            key={separation.job_id}
            type="button"
            className={buttonClass({ small: true })}
            aria-pressed={selected?.job_id === separation.job_id}
            aria-busy={pendingSeparation === separation.job_id}
            title={`Play ${separationName(separation)} (X)`}
            onClick={() => comparison.select(separation.job_id)}
          >
            <b>{separationLetter(index)}</b> {separationName(separation)}
          </button>
        ))}
      </span>
      <span className={styles['state']} role="status" data-failed={separationError !== ''}>
        {separationError !== '' && `Not loaded: ${separationError}`}
        {separationError === '' && pendingSeparation !== null && 'Loading…'}
      </span>
    </div>
  );
}
