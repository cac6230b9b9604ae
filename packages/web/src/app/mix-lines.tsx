import { cancelledError } from '@stem-studio/contract/resources/job';
import type { MixExport } from '@stem-studio/contract/resources/mix';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { mixesQuery, mixQuery, trackQuery } from '../client/queries.ts';
import { awaitedMixes, saveMix, takeAwaitedMix } from '../state/mix-export.ts';
import { downloadMix, type MixRequest, mixRequests, takeMixRequest } from '../state/mix-requests.state.ts';
import { type TrackActions, useTrackActions } from '../state/track-actions.ts';
import { mixFileName, mixText } from '../state/vocal-mixes.ts';
import { IconButton } from '../ui/button.tsx';
import { JobLine } from '../ui/job-line.tsx';
import { isCancelled } from '../ui/job-text.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './mix-lines.module.css';

/** Mixes that wait for the separation of their track, each with its progress; downloads each when it is ready. */
export function MixLines() {
  const requests = useStore(mixRequests, (all) => all);
  const awaited = useStore(awaitedMixes, (all) => all);
  const { data: mixes } = useQuery(mixesQuery());
  const actions = useTrackActions();
  // Mixes that another tab or an earlier visit has requested are shown while they run.
  const running = (mixes ?? []).filter((mix) => !mix.is_ready).map(({ id }) => id);
  const ids = [...new Set([...awaited, ...running])];
  if (requests.length + ids.length === 0) return null;
  return (
    <div className={styles['lines']} role="region" aria-label="Requested files">
      {requests.map((request) => (
        <MixLine
          key={`${request.trackId} ${mixFileName(request.file)}`}
          request={request}
          actions={actions}
        />
      ))}
      {ids.map((id) => (
        <MixExportLine key={id} id={id} actions={actions} />
      ))}
    </div>
  );
}

/** A mix that the service renders; it is downloaded when it is ready, if this tab has requested it. */
function MixExportLine({ id, actions }: { id: string; actions: TrackActions }) {
  const { data: mix, isError } = useQuery(mixQuery(id));
  const isOver = isError || (mix?.status === 'failed' && mix.error === cancelledError);
  useEffect(() => {
    if (mix?.is_ready && takeAwaitedMix(id)) saveMix(mix);
    else if (isOver || mix?.status === 'completed') takeAwaitedMix(id);
  }, [mix, isOver, id]);
  if (!mix) return null;
  const { status, progress, message, eta_seconds, error, track_title } = mix;
  return (
    <div className={styles['line']}>
      <div className={styles['head']}>
        <p className={styles['name']}>
          “{track_title}”: {nameOfMix(mix)}
        </p>
        {status === 'failed' && (
          <IconButton small icon="close" label="Dismiss" onClick={() => takeAwaitedMix(id)} />
        )}
      </div>
      <JobLine
        job={{ type: 'mix', state: { job_id: id, status, progress, message, eta_seconds, error } }}
        trackTitle={track_title}
        actions={actions}
      />
    </div>
  );
}

function nameOfMix({ project, format, tempo, key }: MixExport): string {
  if (project) return `${project.name} (${project.content === 'stems' ? 'ZIP' : format.toUpperCase()})`;
  return mixText('Mix', format, { tempoPercent: tempo, keySemitones: key });
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
