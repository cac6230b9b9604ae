import { useEffect, useMemo, useState } from 'react';
import { errorText } from '../client/api-error.ts';
import { useNoteActions } from '../panels/notes/note-actions.ts';
import { choiceAfter } from '../panels/track/comparison.ts';
import { Transport } from '../panels/track/transport.tsx';
import { usePlayerKeys } from '../panels/track/use-player-keys.ts';
import { goTo, route } from '../state/route.state.ts';
import { useTrackActions } from '../state/track-actions.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Notice } from '../ui/notice.tsx';
import { useStore } from '../ui/use-store.ts';
import { MixExportMenu } from './mix-export-menu.tsx';
import { TrackContent } from './track-content.tsx';
import { TrackHead } from './track-head.tsx';
import styles from './track-page.module.css';
import { TrackTabs } from './track-tabs.tsx';
import { useOpenTrack } from './use-open-track.ts';

const TrackKeyList = lazy(() => import('./track-key-list.tsx').then((m) => ({ default: m.TrackKeyList })));

const noBeats: readonly number[] = [];

/** The open track: its head, its transport, and the tabs about it. */
export function TrackPage({ trackId }: { trackId: string }) {
  const open = useOpenTrack(trackId);
  const trackActions = useTrackActions();
  const noteActions = useNoteActions(trackId);
  const isTall = useStore(route, (state) => state.isTall);
  const [showsKeys, setShowsKeys] = useState(false);
  const [isSnapping, setIsSnapping] = useState(true);
  const { track, player, error, isOpening, analysis, comparison } = open;
  const { beats = noBeats, downbeats = noBeats } = analysis ?? {};
  const snapped = isSnapping ? beats : noBeats;
  const listKeys = () => setShowsKeys(true);
  usePlayerKeys(player, snapped, {
    toggle: open.toggle,
    listKeys,
    compare: (step) => comparison.select(choiceAfter(comparison, step)),
  });
  const clicked = useMemo(() => ({ beats, downbeats }), [beats, downbeats]);
  useEffect(() => player?.setBeats(clicked), [player, clicked]);

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
      {player && track && (
        <Transport
          player={player}
          track={{ id: track.id, bpm: open.recorded.bpm, key: open.recorded.key, beats, downbeats }}
          isSnapping={isSnapping}
          onSnap={setIsSnapping}
          onToggle={open.toggle}
          onListKeys={listKeys}
        >
          <MixExportMenu player={player} track={track} />
        </Transport>
      )}
      <TrackTabs player={player} peaks={open.overview} />
      <TrackContent open={open} snapped={snapped} noteActions={noteActions} trackActions={trackActions} />
      {showsKeys && (
        <LazyPart name="The keyboard shortcuts" look="popup" onClose={() => setShowsKeys(false)}>
          <TrackKeyList onClose={() => setShowsKeys(false)} />
        </LazyPart>
      )}
    </section>
  );
}
