import { answerSound, sounds } from '../../state/sounding.state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './sound-line.module.css';

/** Line that names what the decks play outside of their tab, and the question before a player starts beside them. */
export function SoundLine({ isBesideDecks }: { isBesideDecks: boolean }) {
  const { decks, pending } = useStore(sounds, (state) => state);
  return (
    <>
      {decks && !isBesideDecks && (
        <div className={styles['line']} role="status">
          <p>
            Decks are playing: <strong>{decks.title}</strong>
          </p>
          <Button small icon="pause" onClick={decks.pause}>
            Pause decks
          </Button>
        </div>
      )}
      {decks && pending && (
        <Dialog title="The decks are playing" onClose={() => answerSound('cancel')}>
          <p>
            “{decks.title}” plays on the decks. “{pending.sound.title}” would sound over it.
          </p>
          <div className={styles['answers']}>
            <Button onClick={() => answerSound('cancel')}>Cancel</Button>
            {pending.sound.canUseHeadphones && decks.headphones !== null && (
              <Button onClick={() => answerSound('headphones')}>Play on headphones</Button>
            )}
            <Button onClick={() => answerSound('pause-decks')}>Pause decks and play</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
