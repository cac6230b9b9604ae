import { decksElsewhere, pauseDecksElsewhere } from '../../state/decks-elsewhere.state.ts';
import { answerOutputQuestion, outputUse } from '../../state/output-use.state.ts';
import { goTo } from '../../state/route.state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './decks-line.module.css';

/** Strip that shows what the decks play outside of their tab or in another window, with pause, and the question before a player starts beside them. */
export function DecksLine({ isBesideDecks }: { isBesideDecks: boolean }) {
  const { decks, pending } = useStore(outputUse, (state) => state);
  const elsewhere = useStore(decksElsewhere, (state) => state.title);
  return (
    <>
      {decks && !isBesideDecks && (
        <section className={styles['line']} aria-label="Playing decks">
          <p role="status">
            Decks are playing: <strong>{decks.title}</strong>
          </p>
          {(decks.playing ?? []).map(({ deck, pause }) => (
            <Button
              key={deck}
              small
              icon="pause"
              data-deck={deck}
              aria-label={`Pause deck ${deck.toUpperCase()}`}
              onClick={pause}
            >
              {deck.toUpperCase()}
            </Button>
          ))}
          <Button small icon="pause" onClick={decks.pause}>
            Pause decks
          </Button>
          <Button small onClick={() => goTo({ tab: 'dj' })}>
            Show decks
          </Button>
        </section>
      )}
      {!decks && elsewhere !== null && (
        <section className={styles['line']} aria-label="Decks of another window">
          <p role="status">
            The decks play in another window: <strong>{elsewhere}</strong>
          </p>
          <Button small icon="pause" onClick={pauseDecksElsewhere}>
            Pause decks
          </Button>
        </section>
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
