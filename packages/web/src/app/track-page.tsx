import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import { lazy, useState } from 'react';
import { errorText } from '../client/api-error.ts';
import { useNoteActions } from '../panels/notes/note-actions.ts';
import { PlayerPanel } from '../panels/track/player-panel.tsx';
import { goTo, route } from '../state/route.state.ts';
import { useTrackActions } from '../state/track-actions.ts';
import { Button } from '../ui/button.tsx';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Notice } from '../ui/notice.tsx';
import { useStore } from '../ui/use-store.ts';
import { TrackHead } from './track-head.tsx';
import styles from './track-page.module.css';
import { TrackRemarks } from './track-remarks.tsx';
import { TrackSections } from './track-sections.tsx';
import { useOpenTrack } from './use-open-track.ts';

const TrackKeyList = lazy(() => import('./track-key-list.tsx').then((m) => ({ default: m.TrackKeyList })));

const noNotes: readonly TranscriptionWithNotes[] = [];
const noBeats: readonly number[] = [];

/** The open track: its head, its player, and the panels about it. */
export function TrackPage({ trackId }: { trackId: string }) {
  const open = useOpenTrack(trackId);
  const trackActions = useTrackActions();
  const noteActions = useNoteActions(trackId);
  const isTall = useStore(route, (state) => state.isTall);
  const [showsKeys, setShowsKeys] = useState(false);
  const { track, player, error, isOpening } = open;

  if (error) {
    return (
      <section className={styles['pane']} aria-label="Track">
        <Notice
          icon="warning"
          title="Track could not be opened"
          isError
          actions={
            <>
              <Button onClick={open.retry}>Retry</Button>
              <Button onClick={() => goTo({ track: null })}>Close</Button>
            </>
          }
        >
          {errorText(error)}
        </Notice>
      </section>
    );
  }
  return (
    <section
      className={styles['pane']}
      aria-label={track ? `Player: ${track.title}` : 'Player'}
      aria-busy={isOpening}
      data-tall={isTall}
    >
      <TrackHead open={open} actions={trackActions} />
      <div className={styles['body']}>
        <TrackRemarks open={open} />
        {player ? (
          <PlayerPanel
            player={player}
            stems={open.stems}
            comparison={open.comparison}
            mix={open.overview}
            beats={open.analysis?.beats ?? noBeats}
            notes={open.notes ?? noNotes}
            onMakeNotes={(stem) => void noteActions.make(stem.id)}
            onListKeys={() => setShowsKeys(true)}
          />
        ) : (
          <div className={styles['nothing']}>
            {track && !track.audio && !isOpening ? 'This track is still being imported.' : ''}
          </div>
        )}
        <TrackSections open={open} noteActions={noteActions} trackActions={trackActions} />
      </div>
      {showsKeys && (
        <LazyPart name="The keyboard shortcuts" look="popup" onClose={() => setShowsKeys(false)}>
          <TrackKeyList onClose={() => setShowsKeys(false)} />
        </LazyPart>
      )}
    </section>
  );
}
