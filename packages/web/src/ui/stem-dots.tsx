import { builtInStemTypes } from '@stem-studio/contract/separator';
import { stemColor } from '../base/stem-color.ts';
import styles from './stem-dots.module.css';

/** Four dots: filled once a track is separated. A sign for every separation, whichever stems it gave. */
export function StemDots({ isReady }: { isReady: boolean }) {
  const words = isReady ? 'Stems ready' : 'No stems yet';
  return (
    <span className={styles['dots']} role="img" aria-label={words} title={words}>
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
