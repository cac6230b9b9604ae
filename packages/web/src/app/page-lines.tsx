import type { LiveStatus } from '../client/live.ts';
import { deckConnection } from '../state/decks/dj-view.ts';
import { Button } from '../ui/button.tsx';
import { useStore } from '../ui/use-store.ts';
import { EndingLines } from './ending-lines.tsx';
import styles from './page-lines.module.css';

/** Status lines that every tab shows: the connection, and decks that are about to end. */
export function PageLines({ status, isBesideDecks }: { status: LiveStatus; isBesideDecks: boolean }) {
  return (
    <div className={styles['lines']} data-decks={isBesideDecks}>
      <LiveLine status={status} isBesideDecks={isBesideDecks} />
      <EndingLines isBesideDecks={isBesideDecks} />
    </div>
  );
}

/** Status of the connection; omitted on the DJ tab while the decks show it themselves. */
function LiveLine({ status, isBesideDecks }: { status: LiveStatus; isBesideDecks: boolean }) {
  const isShownByDecks = useStore(deckConnection, ({ isReported }) => isReported) && isBesideDecks;
  return (
    <div role="status">
      {status === 'lost' && !isShownByDecks && (
        <p className={styles['line']}>Connection lost. Playback continues; reconnecting…</p>
      )}
      {status === 'ended' && !isShownByDecks && (
        <p className={styles['line']}>
          You are logged out.{' '}
          <a href="/users/log-in" target="_blank" rel="noreferrer">
            Log in again
          </a>
        </p>
      )}
      {status === 'renewed' && (
        <p className={styles['line']}>
          You are logged in again. Reload the page to make changes.{' '}
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </p>
      )}
    </div>
  );
}
