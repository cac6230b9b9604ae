import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { emit } from '../../platform/events.ts';
import { listJobs, updateJob } from '../../platform/queue/jobs.store.ts';
import { type AudioSourceRow, attachAudio, lockTrack, type TrackRun, trackSubject } from '../tracks/index.ts';
import { chargeUploads } from './charge-uploads.ts';
import type { DownloadArgs } from './download-args.ts';
import { forgetUploads } from './forget-uploads.ts';
import { countInImport } from './imports.service.ts';
import type { Received } from './receive-audio.ts';
import { markChosen } from './sources.store.ts';

/**
 * Attaches the audio to the track in the transaction that completes the job. Emits `download.completed` for new audio.
 */
export async function completeDownload(
  context: Context,
  tx: Tx,
  run: TrackRun,
  { found, hasStems = false }: Received,
  source: AudioSourceRow,
  quality: DownloadArgs['quality'],
): Promise<void> {
  await countInImport(context, tx, run.jobId, 'completed');
  // Marked only now: a candidate that cannot be decoded leaves the track with its previous source.
  if (found) await markChosen(tx, run.trackId, found.candidateId);
  const coverUrl = source.cover_path === null ? null : `/files/${source.cover_path}`;
  const shown = await qualityToShow(tx, run, source, quality);
  const audio = { sourceId: source.id, quality: shown, durationMs: source.duration_ms };
  const isNew = await attachAudio(context, tx, run.trackId, audio, coverUrl);
  await forgetUploads(context, tx, { trackId: run.trackId, replacedBy: run.jobId });
  // The bytes are charged as stored from here on, so that later jobs do not count them twice.
  await updateJob(tx, run.jobId, { expected_bytes: 0 });
  // Another quality of the same audio has the same stems and tempo.
  if (!isNew) return;
  await emit(context, tx, 'download.completed', {
    track_id: run.trackId,
    user_id: run.userId,
    job_id: run.jobId,
    has_stems: hasStems,
  });
}

/**
 * Returns the quality that a track plays from now on. That of a later request which completed first is kept. Locks the
 * track, so that two completions are ordered.
 */
async function qualityToShow(
  tx: Tx,
  run: TrackRun,
  source: AudioSourceRow,
  quality: DownloadArgs['quality'],
): Promise<DownloadArgs['quality']> {
  const track = await lockTrack(tx, run.trackId);
  if (!track?.quality || track.audio_source_id !== source.id) return quality;
  const subject = trackSubject(run.trackId);
  const downloads = await listJobs(tx, { type: 'download', subject });
  const later = downloads.slice(
    0,
    downloads.findIndex(({ id }) => id === run.jobId),
  );
  return later.some(({ status }) => status === 'completed') ? track.quality : quality;
}

/** Counts a failed download in its import and charges the kept bytes of an upload, in the job's transaction. */
export async function failDownload(
  context: Context,
  tx: Tx,
  run: Pick<TrackRun, 'jobId' | 'trackId'>,
  { source }: DownloadArgs,
): Promise<void> {
  await countInImport(context, tx, run.jobId, 'failed');
  if (source.kind === 'upload') await chargeUploads(context, tx, run.trackId);
}
