import { answerOutputQuestion, outputUse } from '../../state/output-use.state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './decks-line.module.css';

/** Line that names what the decks play outside of their tab, and the question before a player starts beside them. */
export function DecksLine({ isBesideDecks }: { isBesideDecks: boolean }) {
  const { decks, pending } = useStore(outputUse, (state) => state);
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
        <Dialog title="The decks are playing" onClose={() => answerOutputQuestion('cancel')}>
          <p>
            “{decks.title}” plays on the decks. “{pending.output.title}” would play over it.
          </p>
          <div className={styles['answers']}>
            <Button onClick={() => answerOutputQuestion('cancel')}>Cancel</Button>
            {pending.output.canUseHeadphones && decks.headphones !== null && (
              <Button onClick={() => answerOutputQuestion('headphones')}>Play on headphones</Button>
            )}
            <Button onClick={() => answerOutputQuestion('pause-decks')}>Pause decks and play</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
