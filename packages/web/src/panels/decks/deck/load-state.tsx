import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { useLocalDeck } from '../dj-context.ts';
import styles from './deck-head.module.css';
import { loadText } from './load-text.ts';

/** Loading progress of the audio, in place of the artist while there is any. */
export function LoadState({ deck }: { deck: DeckId }) {
  const text = useLocalDeck(deck, loadText);
  return (
    <span className={styles['state']} role="status">
      {text}
    </span>
  );
}
