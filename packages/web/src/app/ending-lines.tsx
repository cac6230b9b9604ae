import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { clockText } from '../base/format.ts';
import { endings } from '../state/decks/deck-endings.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './page-lines.module.css';

/** Warns on every tab that the track on a deck is about to end; announced once to screen readers. */
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
                <span className={styles['left']}>{clockText(secondsLeft)}</span>
              </p>
            )
          );
        })}
    </>
  );
}
