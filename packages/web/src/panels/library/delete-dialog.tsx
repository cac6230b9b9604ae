import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { Track } from '@stem-studio/contract/resources/track';
import { QuestionDialog } from '../../ui/question-dialog.tsx';

/** Asks before a track is deleted that plays on `decks`, one of them or both. */
export function DeleteDialog({
  track,
  decks,
  onAnswer,
}: {
  track: Track;
  decks: readonly DeckId[];
  onAnswer: (isWanted: boolean) => void;
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
      “{track.title}” stops at once when it is deleted.
    </QuestionDialog>
  );
}
