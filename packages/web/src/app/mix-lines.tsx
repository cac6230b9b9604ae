import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trackQuery } from '../client/queries.ts';
import { downloadMix, type MixRequest, mixRequests, takeMixRequest } from '../state/mix-requests.state.ts';
import { type TrackActions, useTrackActions } from '../state/track-actions.ts';
import { mixFileName } from '../state/vocal-mixes.ts';
import { IconButton } from '../ui/button.tsx';
import { JobLine } from '../ui/job-line.tsx';
import { isCancelled } from '../ui/job-text.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './mix-lines.module.css';

/** Mixes that wait for the separation of their track, each with its progress; downloads each when it is ready. */
export function MixLines() {
  const requests = useStore(mixRequests, (all) => all);
  const actions = useTrackActions();
  if (requests.length === 0) return null;
  return (
    <div className={styles['lines']} role="region" aria-label="Requested files">
      {requests.map((request) => (
        <MixLine
          key={`${request.trackId} ${mixFileName(request.file)}`}
          request={request}
          actions={actions}
        />
      ))}
    </div>
  );
}

function MixLine({ request, actions }: { request: MixRequest; actions: TrackActions }) {
  const { data: track, isError } = useQuery(trackQuery(request.trackId));
  const separation = track?.separation ?? null;
  const isReady = track !== undefined && track.stems_job_id !== null;
  const isOver = isError || (separation !== null && isCancelled(separation));
  useEffect(() => {
    if (isReady && takeMixRequest(request)) downloadMix(request);
    else if (isOver) takeMixRequest(request);
  }, [isReady, isOver, request]);
  return (
    <div className={styles['line']}>
      <div className={styles['head']}>
        <p className={styles['name']}>
          “{request.title}”: {mixFileName(request.file)}
        </p>
        {separation?.status === 'failed' && (
          <IconButton small icon="close" label="Dismiss" onClick={() => takeMixRequest(request)} />
        )}
      </div>
      {separation && (
        <JobLine
          job={{ type: 'processing', state: separation }}
          trackTitle={request.title}
          actions={actions}
        />
      )}
      {separation?.status !== 'failed' && (
        <p className={styles['next']}>The track is separated first; the file follows by itself.</p>
      )}
    </div>
  );
}
