import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourcesQuery } from '../../client/catalog-queries.ts';
import { isFinished } from '../../client/live-merge.ts';
import { goTo } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { currentJob } from '../../ui/job-text.ts';
import { lazy } from '../../ui/lazy.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import styles from './track-work.module.css';

const SeparateDialog = lazy(() =>
  import('./separate-dialog.tsx').then((m) => ({ default: m.SeparateDialog })),
);

const SourceDialog = lazy(() => import('./source-dialog.tsx').then((m) => ({ default: m.SourceDialog })));

/** The running job of a track, or buttons to separate, analyse or change its source. */
export function TrackWork({
  track,
  hasAnalysis,
  isAnalysisKnown,
  actions,
}: {
  track: Track;
  hasAnalysis: boolean;
  isAnalysisKnown: boolean;
  actions: TrackActions;
}) {
  const job = currentJob(track);
  const [showsModels, setShowsModels] = useState(false);
  const [showsSources, setShowsSources] = useState(false);
  const sources = useQuery(sourcesQuery(track.id));
  const isBusy = (state: Track['separation']) => state !== null && !isFinished(state.status);
  return (
    <div className={styles['work']}>
      {job && (
        <div className={styles['job']}>
          <JobLine job={job} trackTitle={track.title} actions={actions} />
        </div>
      )}
      {track.audio && !track.stems_job_id && !isBusy(track.separation) && (
        <Button look="primary" icon="split" onClick={() => setShowsModels(true)}>
          Separate
        </Button>
      )}
      {track.audio && track.stems_job_id && !isBusy(track.separation) && (
        <Button icon="split" onClick={() => setShowsModels(true)}>
          New separation
        </Button>
      )}
      {track.audio && track.stems_job_id && (
        <Button icon="edit" onClick={() => goTo({ tab: 'daw', edited: track.id })}>
          Open in editor
        </Button>
      )}
      {sources.data && sources.data.length > 0 && (
        <Button icon="music" onClick={() => setShowsSources(true)}>
          {track.audio ? 'Change source' : 'Choose source'}
        </Button>
      )}
      {showsSources && (
        <LazyPart name="The source dialog" look="popup" onClose={() => setShowsSources(false)}>
          <SourceDialog track={track} onClose={() => setShowsSources(false)} />
        </LazyPart>
      )}
      {showsModels && (
        <LazyPart name="The separation dialog" look="popup" onClose={() => setShowsModels(false)}>
          <SeparateDialog track={track} actions={actions} onClose={() => setShowsModels(false)} />
        </LazyPart>
      )}
      {track.audio && isAnalysisKnown && !hasAnalysis && !isBusy(track.analysis) && (
        <Button icon="pulse" onClick={() => void actions.analyze(track)}>
          Analyse
        </Button>
      )}
    </div>
  );
}
