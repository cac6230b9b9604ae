import { deckConnection } from '../../state/decks/dj-view.ts';
import { leaving } from '../../state/leaving.state.ts';
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
  const isPlayedElsewhere = useStore(engine.decks.session, (session) => session.mixer.sound_client !== null);
  const refusal = useStore(engine.status, (state) => state.refusal);
  const isAtStake = useStore(leaving, (state) => state.isAtStake);
  const hasJoined = useStore(engine.status, (state) => state.hasJoined);
  const isReported = link === 'lost' || link === 'ended' || link === 'outdated';
  useScope(
    (scope) => {
      deckConnection.setState({ isReported });
      scope.own(() => deckConnection.setState({ isReported: false }));
    },
    [isReported],
  );
  return (
    <div role="status">
      {refusal !== '' && (
        <p className={styles['line']}>
          <span title={refusal}>{refusal}</span>
        </p>
      )}
      {refusal === '' && hasJoined && !isSounding && (
        <p className={styles['line']}>
          <span>
            {isPlayedElsewhere
              ? 'Audio plays in another window. This one controls it.'
              : 'No window plays audio. Playback starts in this one.'}
          </span>
          <Button small onClick={() => engine.playHere()}>
            Play audio here
          </Button>
        </p>
      )}
      {link === 'lost' && (
        <p className={styles['line']}>
          <span>
            Connection to the studio lost. Playback continues, and your changes are sent once it is back.
          </span>
        </p>
      )}
      {link === 'ended' && (
        <p className={styles['line']}>
          <span>You are logged out. Playback continues, and the decks are saved again after you log in.</span>
          <a href="/users/log-in" target="_blank" rel="noreferrer">
            Log in again
          </a>
        </p>
      )}
      {link === 'outdated' && (
        <p className={styles['line']}>
          <span>
            The studio was updated. These decks keep playing, but they are not saved.
            {isAtStake && ' When they are stopped, the new version can be loaded.'}
          </span>
          {!isAtStake && (
            <Button small onClick={() => window.location.reload()}>
              Load the new version
            </Button>
          )}
        </p>
      )}
      {link === 'apart' && (
        <p className={styles['line']}>
          <span>
            Another window has started new decks since you logged in again. These decks keep playing, but they
            are not saved.{isAtStake && ' When they are stopped, the other ones can be loaded.'}
          </span>
          {!isAtStake && (
            <Button small onClick={() => window.location.reload()}>
              Load the other decks
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
