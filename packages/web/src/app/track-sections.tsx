import type { RhythmAlternative } from '@stem-studio/contract/resources/beat-grid';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { lazy } from 'react';
import type { NoteActions } from '../panels/notes/note-actions.ts';
import { isComparable } from '../state/reference.state.ts';
import type { TrackActions } from '../state/track-actions.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
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

const SeparationsPanel = lazy(() =>
  import('../panels/track/separations-panel.tsx').then((m) => ({ default: m.SeparationsPanel })),
);

const noCues: readonly Cue[] = [];
const noBeats: readonly number[] = [];
const noAlternatives: readonly RhythmAlternative[] = [];

/** The panels below the player, each as soon as there is something to show in it. */
export function TrackSections({
  open,
  noteActions,
  trackActions,
}: {
  open: OpenTrack;
  noteActions: NoteActions;
  trackActions: TrackActions;
}) {
  const { track, player, analysis, grid, cues, notes, stems, comparison, peaks, overview } = open;
  if (!track) return null;
  const durationSeconds = track.duration_ms / 1000;
  return (
    <>
      {comparison.list.length > 0 && (
        <LazyPart name="The separations">
          <SeparationsPanel track={track} comparison={comparison} actions={trackActions} />
        </LazyPart>
      )}
      {analysis && grid && (
        <LazyPart name="The beat grid">
          <GridPanel
            grid={grid}
            alternatives={analysis.rhythm_alternatives ?? noAlternatives}
            player={player}
            peaks={peaks}
            durationSeconds={durationSeconds}
          />
        </LazyPart>
      )}
      {analysis && cues && (
        <LazyPart name="The cue points">
          <CuePanel trackId={track.id} list={cues} player={player} />
        </LazyPart>
      )}
      {track.audio && notes && (
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
      )}
      {isComparable(track) && (
        <LazyPart name="The related tracks">
          <RelatedPanel track={track} />
        </LazyPart>
      )}
      {analysis && (
        <LazyPart name="The analysis">
          <AnalysisPanel
            analysis={analysis}
            peaks={overview}
            cues={cues?.cues ?? noCues}
            durationSeconds={analysis.duration_seconds ?? durationSeconds}
            musicalKey={track.key || (analysis.key ?? '')}
            player={player}
          />
        </LazyPart>
      )}
    </>
  );
}
