import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import { useLocalDeck } from '../dj-context.ts';
import { loadText } from '../labels.ts';
import styles from './deck-head.module.css';

/** Loading progress of the audio, in place of the artist while there is any. */
export function LoadState({ deck }: { deck: DeckId }) {
  const status = useLocalDeck(deck, (local) => local.status);
  const percent = useLocalDeck(deck, (local) => Math.round(local.loadedRatio * 100));
  const isBuffering = useLocalDeck(deck, (local) => local.isBuffering);
  return (
    <span className={styles['state']} role="status">
      {loadText(status, percent, isBuffering)}
    </span>
  );
}
