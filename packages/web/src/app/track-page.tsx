import type { Cue } from '@stem-studio/contract/resources/cue';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useState } from 'react';
import { wordsOf } from '../client/api-error.ts';
import { allPeaksQuery } from '../client/peaks-query.ts';
import {
  analysisQuery,
  beatGridQuery,
  cuesQuery,
  notesQuery,
  processingJobQuery,
  trackQuery,
} from '../client/queries.ts';
import { useNoteActions } from '../panels/notes/note-actions.ts';
import { cloudNotes } from '../panels/track/cloud-text.ts';
import { TrackExports } from '../panels/track/export-menu.tsx';
import { PlayerPanel } from '../panels/track/player-panel.tsx';
import { TrackFacts } from '../panels/track/track-facts.tsx';
import { TrackWork } from '../panels/track/track-work.tsx';
import { useSongPlayer } from '../panels/track/use-song-player.ts';
import { playWish, takePlayWish } from '../state/play-request.state.ts';
import { isComparable } from '../state/reference.state.ts';
import { goTo, place } from '../state/route.state.ts';
import { useTrackActions } from '../state/track-actions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { Icon } from '../ui/icon.tsx';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Notice } from '../ui/notice.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './track-page.module.css';
import { useHeardAnalysis } from './use-current-analysis.ts';

const TrackKeyList = lazy(() => import('./track-key-list.tsx').then((m) => ({ default: m.TrackKeyList })));

const AnalysisPanel = lazy(() =>
  import('../panels/analysis/analysis-panel.tsx').then((m) => ({ default: m.AnalysisPanel })),
);

const CuePanel = lazy(() => import('../panels/cues/cue-panel.tsx').then((m) => ({ default: m.CuePanel })));

const GridPanel = lazy(() => import('../panels/grid/grid-panel.tsx').then((m) => ({ default: m.GridPanel })));

const RelatedPanel = lazy(() =>
  import('../panels/library/related-panel.tsx').then((m) => ({ default: m.RelatedPanel })),
);

const NotesPanel = lazy(() =>
  import('../panels/notes/notes-panel.tsx').then((m) => ({ default: m.NotesPanel })),
);

const noCues: readonly Cue[] = [];
const noNotes: readonly TranscriptionWithNotes[] = [];
const noStems: readonly Stem[] = [];
const noBeats: readonly number[] = [];

/** The open track: what is known of it, what can be made of it, and its player. */
export function TrackPanel({ trackId }: { trackId: string }) {
  const track = useQuery(trackQuery(trackId));
  const separation = useQuery(processingJobQuery(track.data?.stems_job_id ?? null));
  const analysis = useQuery(analysisQuery(trackId));
  const grid = useQuery({ ...beatGridQuery(trackId), enabled: Boolean(analysis.data) });
  const cues = useQuery(cuesQuery(trackId));
  const notes = useQuery(notesQuery(trackId));
  const noteActions = useNoteActions(trackId);
  const peaks = useQuery(allPeaksQuery(track.data?.audio?.peaks_path ?? null));
  const heard = useHeardAnalysis(analysis.data ?? null, grid.data ?? null);
  const actions = useTrackActions();
  const isTall = useStore(place, (state) => state.isTall);
  const [listsKeys, setListsKeys] = useState(false);

  // While the stems' list is on its way nothing is opened, so that the mix is not loaded only to be left.
  const isOpening = track.isPending || (Boolean(track.data?.stems_job_id) && separation.isPending);
  const stems = separation.data?.stems ?? noStems;
  const player = useSongPlayer(stems, isOpening ? null : (track.data?.audio?.file_path ?? null));
  const isWished = useStore(playWish, (wish) => wish.trackId === trackId);
  useEffect(() => {
    if (player && isWished && takePlayWish(trackId)) player.toggle();
  }, [player, isWished, trackId]);

  if (track.isError) {
    return (
      <section className={styles['pane']} aria-label="Track">
        <Notice
          icon="warning"
          title="This track cannot be opened"
          isError
          actions={
            <>
              <Button onClick={() => void track.refetch()}>Try again</Button>
              <Button onClick={() => goTo({ track: null })}>Close</Button>
            </>
          }
        >
          {wordsOf(track.error)}
        </Notice>
      </section>
    );
  }
  const { data } = track;
  const mix = peaks.data?.zooms[1] ?? peaks.data?.zooms[0] ?? null;
  return (
    <section
      className={styles['pane']}
      aria-label={data ? `Player: ${data.title}` : 'Player'}
      aria-busy={isOpening}
      data-tall={isTall}
    >
      <div className={styles['head']}>
        <Cover url={data?.album_art_url ?? null} />
        <div className={styles['names']}>
          <h2 title={data?.title}>{data?.title ?? 'Loading…'}</h2>
          <p>{data ? [data.artist, data.album].filter((part) => part !== '').join(' · ') || '–' : ''}</p>
        </div>
        {data && <TrackFacts track={data} analysis={heard} />}
        {data && (
          <TrackWork
            track={data}
            hasAnalysis={heard !== null}
            isAnalysisKnown={!analysis.isPending}
            actions={actions}
          />
        )}
        {data && <TrackExports track={data} stems={stems} hasAnalysis={heard !== null} />}
        <IconButton
          icon={isTall ? 'down' : 'up'}
          label={isTall ? 'Make the track small' : 'Give the track the whole page'}
          className={styles['grow']}
          aria-pressed={isTall}
          onClick={() => goTo({ isTall: !isTall })}
        />
        <IconButton
          icon="close"
          label="Close the player"
          className={styles['close']}
          onClick={() => goTo({ track: null })}
        />
      </div>
      <div className={styles['body']}>
        <Notes
          icon="warning"
          title="What was odd about the received file"
          lines={data?.audio?.warnings ?? []}
        />
        {separation.data?.cloud && (
          <Notes icon="split" title="About these stems" lines={cloudNotes(separation.data.cloud)} />
        )}
        {player ? (
          <PlayerPanel
            player={player}
            stems={stems}
            mix={mix}
            beats={heard?.beats ?? noBeats}
            notes={notes.data ?? noNotes}
            onMakeNotes={(stem) => void noteActions.make(stem.id)}
            onListKeys={() => setListsKeys(true)}
          />
        ) : (
          <div className={styles['nothing']}>
            {data && !data.audio && !isOpening
              ? 'There is nothing to hear yet: the song is still being imported.'
              : ''}
          </div>
        )}
        {data && heard && grid.data && (
          <LazyPart name="The beat grid">
            <GridPanel
              grid={grid.data}
              player={player}
              peaks={peaks.data ?? null}
              durationSeconds={data.duration_ms / 1000}
            />
          </LazyPart>
        )}
        {data && heard && cues.data && (
          <LazyPart name="The cue points">
            <CuePanel trackId={trackId} list={cues.data} player={player} />
          </LazyPart>
        )}
        {data?.audio && notes.data && (
          <LazyPart name="The notes">
            <NotesPanel
              track={data}
              stems={stems}
              notes={notes.data}
              beats={heard?.beats ?? noBeats}
              downbeats={heard?.downbeats ?? noBeats}
              player={player}
              actions={noteActions}
              jobActions={actions}
            />
          </LazyPart>
        )}
        {data && isComparable(data) && (
          <LazyPart name="What goes with it">
            <RelatedPanel track={data} />
          </LazyPart>
        )}
        {data && heard && (
          <LazyPart name="The analysis">
            <AnalysisPanel
              analysis={heard}
              peaks={mix}
              cues={cues.data?.cues ?? noCues}
              durationSeconds={heard.duration_seconds ?? data.duration_ms / 1000}
              musicalKey={data.key || (heard.key ?? '')}
              player={player}
            />
          </LazyPart>
        )}
      </div>
      {listsKeys && (
        <LazyPart name="The list of keys" look="popup" onClose={() => setListsKeys(false)}>
          <TrackKeyList onClose={() => setListsKeys(false)} />
        </LazyPart>
      )}
    </section>
  );
}

/** What is to be known about a file or stems; nothing where there is nothing. */
function Notes({
  icon,
  title,
  lines,
}: {
  icon: 'warning' | 'split';
  title: string;
  lines: readonly string[];
}) {
  if (lines.length === 0) return null;
  return (
    <div className={styles['oddities']} data-icon={icon}>
      <Icon name={icon} size={18} />
      <div>
        <h3>{title}</h3>
        <ul>
          {lines.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
