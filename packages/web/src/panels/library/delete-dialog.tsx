import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { Track } from '@stem-studio/contract/resources/track';
import { QuestionDialog } from '../../ui/question-dialog.tsx';

/** Confirmation before deleting a track that plays on one or both decks. */
export function DeleteDialog({
  track,
  decks,
  onAnswer,
}: {
  track: Track;
  decks: readonly DeckId[];
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const letters = decks.map((deck) => deck.toUpperCase());
  return (
    <QuestionDialog
      title={
        letters.length > 1
          ? `Decks ${letters.join(' and ')} are playing`
          : `Deck ${letters.join()} is playing`
      }
      stay="Keep playing"
      go="Delete anyway"
      onAnswer={onAnswer}
    >
      “{track.title}” stops immediately when it is deleted.
    </QuestionDialog>
  );
}
