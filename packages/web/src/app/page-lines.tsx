import type { LiveStatus } from '../client/live.ts';
import { pageVersion } from '../client/page-copy.ts';
import { deckConnection } from '../state/decks/dj-view.ts';
import { leaving } from '../state/leaving.state.ts';
import { Button } from '../ui/button.tsx';
import { useStore } from '../ui/use-store.ts';
import { EndingLines } from './ending-lines.tsx';
import styles from './page-lines.module.css';

/** Status lines that every tab shows: the connection, and decks that are about to end. */
export function PageLines({ status, isBesideDecks }: { status: LiveStatus; isBesideDecks: boolean }) {
  return (
    <div className={styles['lines']} data-decks={isBesideDecks}>
      <LiveLine status={status} isBesideDecks={isBesideDecks} />
      <UpdateLine isBesideDecks={isBesideDecks} />
      <EndingLines isBesideDecks={isBesideDecks} />
    </div>
  );
}

/**
 * Says that the studio has another version of the page; a reload is offered only while it would stop nothing. Omitted on
 * the DJ tab while the decks say it themselves.
 */
function UpdateLine({ isBesideDecks }: { isBesideDecks: boolean }) {
  const isShownByDecks = useStore(deckConnection, ({ isReported }) => isReported) && isBesideDecks;
  const isOutdated = useStore(pageVersion, (state) => state.isOutdated);
  const isAtStake = useStore(leaving, (state) => state.isAtStake);
  return (
    <div role="status">
      {isOutdated && !isAtStake && !isShownByDecks && (
        <p className={styles['line']}>
          The studio was updated.{' '}
          <Button small onClick={() => window.location.reload()}>
            Load the new version
          </Button>
        </p>
      )}
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
        <p className={styles['line']}>You are logged in again. Changes can be made in a moment…</p>
      )}
    </div>
  );
}
