import type { SourceCandidate } from '@stem-studio/contract/resources/source-candidate';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { listJobs } from '../../platform/queue/jobs.store.ts';
import { cancelJobIn, requestJob } from '../../platform/queue/jobs.ts';
import {
  announceTrack,
  findOwnedTrack,
  getReadableTrack,
  requireQuotaForTrack,
  trackSubject,
} from '../tracks/index.ts';
import { type DownloadArgs, storedDownloadArgs } from './download-args.ts';
import { expectedDownloadBytes } from './expected-bytes.ts';
import { listCandidates } from './sources.store.ts';

/**
 * Returns the search results for the audio of a track that the caller may read.
 *
 * @throws `NOT_FOUND`
 */
export async function showSources(
  context: Context,
  viewer: Viewer,
  trackId: string,
): Promise<SourceCandidate[]> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  return (await listCandidates(context.db, track.id)).map((row) => ({
    candidate_id: row.id,
    title: row.title,
    channel: row.channel,
    url: row.url,
    duration_ms: row.duration_ms,
    difference_ms: row.duration_ms === null || row.wanted_ms === 0 ? null : row.duration_ms - row.wanted_ms,
    score: row.score,
    chosen: row.is_chosen,
  }));
}

/**
 * Requests the track's audio from another candidate and cancels a running download of it.
 *
 * @throws `NOT_FOUND`
 * @throws `VALIDATION_ERROR` for an id that is not one of its candidates
 */
export async function chooseSource(context: Context, viewer: Viewer, trackId: string, candidateId: string) {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  const candidates = await listCandidates(context.db, track.id);
  if (track.catalog_id === null || !candidates.some(({ id }) => id === candidateId)) {
    throw invalid({ candidate_id: ["must be one of the track's candidates (see GET of the same path)"] });
  }
  const source = { kind: 'search', catalog_id: track.catalog_id, candidate_id: candidateId } as const;
  return context.db.transaction().execute(async (tx) => {
    const downloads = await listJobs(tx, { subject: trackSubject(track.id), type: 'download' });
    for (const job of downloads) if (job.finished_at === null) await cancelJobIn(context, tx, job.id);
    const [newest] = downloads;
    const last = newest && storedDownloadArgs.read(tx, newest.args, newest.id)?.quality;
    const quality = track.quality ?? last ?? 'high';
    const expected_bytes = expectedDownloadBytes(source, track.duration_ms, { quality });
    await requireQuotaForTrack(context, tx, track, { what: 'this song', bytes: expected_bytes, jobs: 1 });
    const job = await requestJob(context, tx, {
      type: 'download',
      user_id: track.user_id,
      subject: trackSubject(track.id),
      args: { source, quality } satisfies DownloadArgs,
      expected_bytes,
    });
    await announceTrack(tx, track.id, 'track_updated');
    return { job_id: job.id, track_id: track.id, status: job.status };
  });
}
