import type { LiveStatus } from '../../client/live.ts';
import { deckConnection } from '../../state/decks/dj-view.ts';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import { EndingLines } from './ending-lines.tsx';
import styles from './page-lines.module.css';

/** What the page itself has to say in every room, in a few calm lines. */
export function PageLines({ status, isBesideDecks }: { status: LiveStatus; isBesideDecks: boolean }) {
  return (
    <div className={styles['lines']} data-decks={isBesideDecks}>
      <LiveLine status={status} isBesideDecks={isBesideDecks} />
      <EndingLines isBesideDecks={isBesideDecks} />
    </div>
  );
}

/** One line while news cannot arrive; left out beside the decks where they say the same. */
function LiveLine({ status, isBesideDecks }: { status: LiveStatus; isBesideDecks: boolean }) {
  const isTold = useStore(deckConnection, ({ isReported }) => isReported) && isBesideDecks;
  return (
    <div role="status">
      {status === 'lost' && !isTold && (
        <p className={styles['line']}>Connection lost. What you hear and see stays; reconnecting…</p>
      )}
      {status === 'ended' && !isTold && (
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
