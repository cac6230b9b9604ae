import type { RelatedTrack } from '@stem-studio/contract/resources/related-track';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery } from '@tanstack/react-query';
import { bpmText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { relatedQuery } from '../../client/queries.ts';
import { requestLoad } from '../../state/load-request.state.ts';
import { played } from '../../state/played.state.ts';
import { Button } from '../../ui/button.tsx';
import { startTrackDrag } from '../../ui/track-drag.ts';
import { useStore } from '../../ui/use-store.ts';
import { PlayedMark } from './played-mark.tsx';
import styles from './related-list.module.css';

/** Tracks that fit `track`, the best first, with the reasons; open, load or drag one to a deck. */
export function RelatedList({ track, onOpen }: { track: Track; onOpen: (related: Track) => void }) {
  const related = useQuery(relatedQuery(track));
  if (related.isPending) return <p className={styles['note']}>Loading…</p>;
  if (related.isError) {
    return (
      <p className={styles['note']}>
        {errorText(related.error)}{' '}
        <Button small onClick={() => void related.refetch()}>
          Retry
        </Button>
      </p>
    );
  }
  if (related.data.length === 0) {
    return (
      <p className={styles['note']}>
        {track.key === '' && track.bpm === null
          ? 'Key and tempo are unknown. Analyse the track first.'
          : 'No other track in the library matches by key and tempo.'}
      </p>
    );
  }
  return (
    <ol className={styles['list']}>
      {related.data.map((one) => (
        <RelatedItem key={one.track.id} related={one} onOpen={onOpen} />
      ))}
    </ol>
  );
}

function RelatedItem({
  related: { track, reasons },
  onOpen,
}: {
  related: RelatedTrack;
  onOpen: (track: Track) => void;
}) {
  const isPlayed = useStore(played, ({ ids }) => ids.has(track.id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons do the same by keyboard
    <li
      className={styles['item']}
      draggable={track.audio !== null}
      onDragStart={(event) => startTrackDrag(event, [track])}
    >
      <button type="button" className={styles['open']} data-drag-image onClick={() => onOpen(track)}>
        <span className={styles['title']}>
          {isPlayed && <PlayedMark />}
          {track.title}
        </span>
        <span className={styles['artist']}>{track.artist}</span>
      </button>
      <span className={styles['facts']}>
        {track.camelot} · {bpmText(track.bpm)}
      </span>
      <span className={styles['reasons']}>{reasons.join(', ')}</span>
      {track.audio !== null && (
        <span className={styles['decks']}>
          {(['a', 'b'] as const).map((deck) => (
            <Button
              key={deck}
              small
              aria-label={`Load ${track.title} on deck ${deck.toUpperCase()}`}
              onClick={() => requestLoad(deck, track)}
            >
              {deck.toUpperCase()}
            </Button>
          ))}
        </span>
      )}
    </li>
  );
}
