import { useQuery } from '@tanstack/react-query';
import { trackQuery } from '../../client/queries.ts';
import { resolveLoad } from '../../state/decks/load-track.ts';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import { useDeck, useDjEngine, useDjState } from './dj-context.ts';

/** Asks for confirmation before a playing track is replaced. */
export function ReplaceDialog() {
  const question = useDjState((state) => state.pendingLoad);
  return question && <Question deck={question.deck} trackId={question.trackId} />;
}

function Question({ deck, trackId }: { deck: 'a' | 'b'; trackId: string }) {
  const engine = useDjEngine();
  const playing = useDeck(deck, (state) => state.track_id);
  const now = useQuery({ ...trackQuery(playing ?? ''), enabled: playing !== null }).data;
  const next = useQuery(trackQuery(trackId)).data;
  return (
    <QuestionDialog
      title={`Deck ${deck.toUpperCase()} is playing`}
      stay="Keep playing"
      go="Load anyway"
      onAnswer={(isWanted) => resolveLoad(engine, isWanted)}
    >
      {now ? `“${now.title}”` : 'The current track'} stops immediately when{' '}
      {next ? `“${next.title}”` : 'another track'} is loaded.
    </QuestionDialog>
  );
}
