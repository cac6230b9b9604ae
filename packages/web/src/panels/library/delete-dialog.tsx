import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { SelectedTrack } from '../../state/selection.state.ts';
import { QuestionDialog } from '../../ui/question-dialog.tsx';

/** Confirmation before deleting tracks of which one plays on one or both decks. */
export function DeleteDialog({
  playing,
  decks,
  onAnswer,
}: {
  playing: SelectedTrack;
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
      “{playing.title || 'The track'}” stops immediately when it is deleted.
    </QuestionDialog>
  );
}
