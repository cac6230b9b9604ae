import { deckIds } from '@stem-studio/contract/resources/deck-session';
import { endings } from '../../state/decks/deck-endings.ts';
import { Button } from '../../ui/button.tsx';
import { clockText } from '../../ui/format.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './page-lines.module.css';
import { goTo } from './place.state.ts';

/** Says in every room that a song on a deck ends: aloud once, and to be seen where the decks are not. */
export function EndingLines({ isBesideDecks }: { isBesideDecks: boolean }) {
  const both = useStore(endings, (state) => state);
  return (
    <>
      <div className="visually-hidden" aria-live="assertive" data-endings>
        {deckIds.map(
          (deck) => both[deck].isNear && <p key={deck}>Deck {deck.toUpperCase()} ends within 30 seconds</p>,
        )}
      </div>
      {!isBesideDecks &&
        deckIds.map((deck) => {
          const { secondsLeft } = both[deck];
          return (
            secondsLeft !== null && (
              <p key={deck} className={styles['line']} data-deck={deck}>
                Deck {deck.toUpperCase()} ends in{' '}
                <span className={styles['left']}>{clockText(secondsLeft)}</span>{' '}
                <Button small onClick={() => goTo({ tab: 'dj' })}>
                  Show the decks
                </Button>
              </p>
            )
          );
        })}
    </>
  );
}
