import { deckConnection } from '../../state/decks/dj-view.ts';
import { Button } from '../../ui/button.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { useDjEngine } from './dj-context.ts';
import styles from './dj-panel.module.css';

/** Status of this window: why it plays no audio, and whether its link with the service is lost. */
export function StatusLines() {
  const engine = useDjEngine();
  const link = useStore(engine.status, (state) => state.link);
  const isSounding = useStore(engine.status, (state) => state.isSounding);
  const isHeard = useStore(engine.decks.session, (session) => session.mixer.sound_client !== null);
  const refusal = useStore(engine.status, (state) => state.refusal);
  const hasJoined = useStore(engine.status, (state) => state.hasJoined);
  const isReported = link === 'lost' || link === 'ended';
  useScope(
    (scope) => {
      deckConnection.setState({ isReported });
      scope.own(() => deckConnection.setState({ isReported: false }));
    },
    [isReported],
  );
  return (
    <div role="status">
      {refusal !== '' && <p className={styles['line']}>{refusal}</p>}
      {refusal === '' && hasJoined && !isSounding && (
        <p className={styles['line']}>
          {isHeard
            ? 'Sound plays in another window; this one controls it.'
            : 'No window sounds: what you play here will sound here.'}{' '}
          <Button small onClick={() => engine.playHere()}>
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
