import type { LiveStatus } from '../../client/live.ts';
import { Button } from '../../ui/button.tsx';
import styles from './live-line.module.css';

/** One calm line while news cannot arrive; it lies over the page, so that nothing moves. */
export function LiveLine({ status }: { status: LiveStatus }) {
  return (
    <div role="status">
      {status === 'lost' && (
        <p className={styles['line']}>Connection lost. What you hear and see stays; reconnecting…</p>
      )}
      {status === 'ended' && (
        <p className={styles['line']}>
          You are logged out.{' '}
          <a href="/users/log-in" target="_blank" rel="noreferrer">
            Log in again
          </a>
        </p>
      )}
      {status === 'renewed' && (
        <p className={styles['line']}>
          You are logged in again. To change anything,{' '}
          <Button onClick={() => window.location.reload()}>Reload this page</Button>
        </p>
      )}
    </div>
  );
}
