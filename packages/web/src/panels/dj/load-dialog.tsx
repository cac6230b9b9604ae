import { useQuery } from '@tanstack/react-query';
import { trackQuery } from '../../client/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useBooth, useDeck, useDjState } from './dj-booth.ts';
import styles from './dj-panel.module.css';
import { answerLoad } from './load-track.ts';

/** Asks before a track that plays is overwritten. */
export function LoadDialog() {
  const question = useDjState((state) => state.loadQuestion);
  return question && <Question deck={question.deck} trackId={question.trackId} />;
}

function Question({ deck, trackId }: { deck: 'a' | 'b'; trackId: string }) {
  const booth = useBooth();
  const playing = useDeck(deck, (state) => state.track_id);
  const now = useQuery({ ...trackQuery(playing ?? ''), enabled: playing !== null }).data;
  const next = useQuery(trackQuery(trackId)).data;
  return (
    <Dialog title={`Deck ${deck.toUpperCase()} is playing`} onClose={() => answerLoad(booth, false)}>
      <p className={styles['question']}>
        {now ? `“${now.title}”` : 'What plays'} stops at once when{' '}
        {next ? `“${next.title}”` : 'another track'} is loaded.
      </p>
      <div className={styles['answers']}>
        <Button look="primary" onClick={() => answerLoad(booth, false)}>
          Keep playing
        </Button>
        <Button onClick={() => answerLoad(booth, true)}>Load anyway</Button>
      </div>
    </Dialog>
  );
}
