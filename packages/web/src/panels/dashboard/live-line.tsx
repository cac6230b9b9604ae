import type { LiveStatus } from '../../client/live.ts';
import styles from './live-line.module.css';

/** One calm line while news cannot arrive; it lies over the page, so that nothing moves. */
export function LiveLine({ status }: { status: LiveStatus }) {
  return (
    <div role="status">
      {status === 'lost' && (
        <p className={styles['line']}>Connection lost. What you hear and see stays; reconnecting…</p>
      )}
    </div>
  );
}
