import type { RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import type { Cue } from '@stem-studio/contract/resources/cue';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import type { NoteActions } from '../panels/notes/note-actions.ts';
import { isComparable } from '../state/reference.state.ts';
import { route } from '../state/route.state.ts';
import type { TrackActions } from '../state/track-actions.ts';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { useStore } from '../ui/use-store.ts';
import { MixTab } from './mix-tab.tsx';
import styles from './track-page.module.css';
import { trackPanelId, trackTabId } from './track-tabs.tsx';
import type { OpenTrack } from './use-open-track.ts';

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

const noAlternatives: readonly RhythmAlternative[] = [];
const noCues: readonly Cue[] = [];
const noBeats: readonly number[] = [];
const noNotes: readonly TranscriptionWithNotes[] = [];

/** Content of the selected tab of the track page. */
export function TrackContent(props: {
  open: OpenTrack;
  /** Beats that the ends of a loop snap to; empty for none. */
  snapped: readonly number[];
  noteActions: NoteActions;
  trackActions: TrackActions;
}) {
  const panel = useStore(route, (state) => state.panel);
  const { open, noteActions, trackActions } = props;
  return (
    <div
      className={styles['body']}
      role="tabpanel"
      id={trackPanelId}
      aria-labelledby={trackTabId(panel)}
      data-panel={panel}
    >
      {panel === 'mix' && <MixTab {...props} notes={open.notes ?? noNotes} />}
      {panel === 'grid' && <GridTab open={open} />}
      {panel === 'notes' && <NotesTab open={open} noteActions={noteActions} trackActions={trackActions} />}
      {panel === 'analysis' && <AnalysisTab open={open} />}
    </div>
  );
}

/** Says what a tab waits for. */
function Waiting({ open: { track, isOpening, isAnalysisKnown }, what }: { open: OpenTrack; what: string }) {
  const text = !track?.audio ? 'This track is still being imported.' : `No analysis yet. It finds ${what}.`;
  return <div className={styles['nothing']}>{track && !isOpening && isAnalysisKnown ? text : ''}</div>;
}

function GridTab({ open }: { open: OpenTrack }) {
  const { track, player, analysis, grid, cues, peaks } = open;
  if (!track || !analysis) return <Waiting open={open} what="the beat grid and the cue points" />;
  return (
    <>
      {grid && (
        <LazyPart name="The beat grid">
          <GridPanel
            grid={grid}
            alternatives={analysis?.rhythm_alternatives ?? noAlternatives}
            player={player}
            peaks={peaks}
            durationSeconds={track.duration_ms / 1000}
          />
        </LazyPart>
      )}
      {cues && (
        <LazyPart name="The cue points">
          <CuePanel trackId={track.id} list={cues} player={player} />
        </LazyPart>
      )}
    </>
  );
}

function NotesTab({
  open: { track, stems, notes, analysis, player },
  noteActions,
  trackActions,
}: {
  open: OpenTrack;
  noteActions: NoteActions;
  trackActions: TrackActions;
}) {
  if (!track?.audio || !notes)
    return (
      <div className={styles['nothing']}>
        {track && !track.audio ? 'This track is still being imported.' : ''}
      </div>
    );
  return (
    <LazyPart name="The notes">
      <NotesPanel
        track={track}
        stems={stems}
        notes={notes}
        beats={analysis?.beats ?? noBeats}
        downbeats={analysis?.downbeats ?? noBeats}
        player={player}
        actions={noteActions}
        jobActions={trackActions}
      />
    </LazyPart>
  );
}

function AnalysisTab({ open }: { open: OpenTrack }) {
  const { track, player, analysis, cues, overview } = open;
  return (
    <>
      {track && analysis ? (
        <LazyPart name="The analysis">
          <AnalysisPanel
            analysis={analysis}
            peaks={overview}
            cues={cues?.cues ?? noCues}
            durationSeconds={analysis.duration_seconds ?? track.duration_ms / 1000}
            musicalKey={track.key || (analysis.key ?? '')}
            player={player}
          />
        </LazyPart>
      ) : (
        <Waiting open={open} what="tempo, key, chords, sections and loudness" />
      )}
      {track && isComparable(track) && (
        <LazyPart name="The related tracks">
          <RelatedPanel track={track} />
        </LazyPart>
      )}
    </>
  );
}
