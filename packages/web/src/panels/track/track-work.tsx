import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { isFinished } from '../../client/live-merge.ts';
import { sourcesQuery } from '../../client/queries.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { currentJob } from '../../ui/job-text.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import styles from './track-work.module.css';

const SeparateDialog = lazy(() =>
  import('./separate-dialog.tsx').then((m) => ({ default: m.SeparateDialog })),
);

const SourceDialog = lazy(() => import('./source-dialog.tsx').then((m) => ({ default: m.SourceDialog })));

/** What happens to the track now, or what can be asked for. */
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
  const [asks, setAsks] = useState(false);
  const [asksSource, setAsksSource] = useState(false);
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
        <Button look="primary" icon="split" onClick={() => setAsks(true)}>
          Separate
        </Button>
      )}
      {track.audio && track.stems_job_id && !isBusy(track.separation) && (
        <Button icon="split" onClick={() => setAsks(true)}>
          Separate again
        </Button>
      )}
      {sources.data && sources.data.length > 0 && (
        <Button icon="music" onClick={() => setAsksSource(true)}>
          {track.audio ? 'Change the source' : 'Choose a source'}
        </Button>
      )}
      {asksSource && (
        <LazyPart name="The choice of sources" look="popup" onClose={() => setAsksSource(false)}>
          <SourceDialog track={track} onClose={() => setAsksSource(false)} />
        </LazyPart>
      )}
      {asks && (
        <LazyPart name="The choice of models" look="popup" onClose={() => setAsks(false)}>
          <SeparateDialog track={track} actions={actions} onClose={() => setAsks(false)} />
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
