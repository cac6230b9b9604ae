import { useBooth } from '../../state/decks/dj-engine.ts';
import { deckNews } from '../../state/decks/dj-view.ts';
import { Button } from '../../ui/button.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './dj-panel.module.css';

/** What there is to say about this window: why it cannot sound, that another one does, that the connection is lost. */
export function BoothLines() {
  const booth = useBooth();
  const link = useStore(booth.booth, (state) => state.link);
  const isSounding = useStore(booth.booth, (state) => state.isSounding);
  const isHeard = useStore(booth.decks.session, (session) => session.mixer.sound_client !== null);
  const refusal = useStore(booth.booth, (state) => state.refusal);
  const hasJoined = useStore(booth.booth, (state) => state.hasJoined);
  const isLinkTold = link === 'lost' || link === 'ended';
  useScope(
    (scope) => {
      deckNews.setState({ isLinkTold });
      scope.own(() => deckNews.setState({ isLinkTold: false }));
    },
    [isLinkTold],
  );
  return (
    <div role="status">
      {refusal !== '' && <p className={styles['line']}>{refusal}</p>}
      {refusal === '' && hasJoined && !isSounding && (
        <p className={styles['line']}>
          {isHeard
            ? 'Sound plays in another window; this one controls it.'
            : 'No window sounds: what you play here will sound here.'}{' '}
          <Button small onClick={() => booth.takeSound()}>
            Play sound here
          </Button>
        </p>
      )}
      {link === 'lost' && (
        <p className={styles['line']}>
          The decks have lost the studio. What plays goes on, and what you do is sent when it is back.
        </p>
      )}
      {link === 'ended' && (
        <p className={styles['line']}>
          You are logged out. The decks play on here, and are kept again once you are logged in.{' '}
          <a href="/users/log-in" target="_blank" rel="noreferrer">
            Log in again
          </a>
        </p>
      )}
      {link === 'apart' && (
        <p className={styles['line']}>
          Since you logged in again, other decks have been begun in another window. These play on here, and
          are not kept.{' '}
          <Button small onClick={() => window.location.reload()}>
            Show the other decks
          </Button>
        </p>
      )}
    </div>
  );
}
