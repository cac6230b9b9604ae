import styles from './progress-bar.module.css';

/** A progress bar; `percent` 0 to 100. */
export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  const value = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <span
      className={styles['bar']}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span className={styles['fill']} style={{ transform: `scaleX(${value / 100})` }} />
    </span>
  );
}
