import { builtInStemTypes } from '@stem-studio/contract/separator';
import { stemColor } from '../base/stem-color.ts';
import styles from './stem-dots.module.css';

/** Four dots, filled if a track has stems, regardless of their number. */
export function StemDots({ isReady }: { isReady: boolean }) {
  const label = isReady ? 'Stems ready' : 'No stems yet';
  return (
    <span className={styles['dots']} role="img" aria-label={label} title={label}>
      {builtInStemTypes.map((type) => (
        <span
          key={type}
          className={styles['dot']}
          data-ready={isReady}
          style={isReady ? { color: stemColor(type) } : undefined}
        />
      ))}
    </span>
  );
}
