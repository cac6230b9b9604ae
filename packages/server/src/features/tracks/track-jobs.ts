import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import { own } from '../../platform/owned.ts';
import {
  type JobSubject,
  type JobSubjectPolicy,
  type SubjectColumns,
  subjectOf,
} from '../../platform/queue/job-subject.ts';
import type { Verdict } from '../../platform/queue/verdict.ts';
import {
  defineWorker,
  type FailedRun,
  type JobRun,
  type Worker,
  type WorkerOptions,
} from '../../platform/queue/worker.ts';
import { findTrack } from './tracks.store.ts';

/** Kind of the subject of a job about a track. */
export const trackKind = 'track';

/** Returns the subject of a job about a track. */
export function trackSubject(id: string): JobSubject {
  return { kind: trackKind, id };
}

/** Returns the id of the track that a job is about, or null for a job about something else. */
export function trackIdOf(job: SubjectColumns): string | null {
  return job.subject_kind === trackKind ? job.subject_id : null;
}

/** Returns the id of the track that a job is about. Throws where the job has none. */
export function requireTrackId(job: SubjectColumns): string {
  return trackIn(subjectOf(job));
}

function trackIn(subject: JobSubject | null): string {
  if (subject?.kind !== trackKind) throw new Error(`a job about ${subject?.kind ?? 'nothing'} needs a track`);
  return subject.id;
}

/** Access policy: jobs of a deleted track can be read and cancelled, but neither watched nor retried. */
export const trackJobs: JobSubjectPolicy = {
  kind: trackKind,
  async allows(context, _viewer, trackId, action) {
    return action !== 'watch' || (await findTrack(context.db, trackId)) !== undefined;
  },
  async requireRetryable(context, viewer, job) {
    const track = own(viewer, await findTrack(context.db, requireTrackId(job)));
    if (!track) throw notFound('track');
    if (job.type !== 'download' && !track.audio)
      throw stateForbids('TRACK_NOT_DOWNLOADED', 'the track has no audio: retry its download first');
  },
};

/** One attempt at a job about a track. */
export type TrackRun = JobRun & { readonly trackId: string };

/** A failed job about a track. */
type FailedTrackRun = FailedRun & { readonly trackId: string };

/** Options of {@link defineTrackWorker}. */
export type TrackWorkerOptions<A> = Omit<WorkerOptions<A>, 'costs' | 'perform' | 'failed'> & {
  /** {@link WorkerOptions.costs} of jobs about tracks. */
  costs?(
    tx: Tx,
    asked: readonly { readonly track_id: string; readonly args: A }[],
  ): Promise<readonly number[]>;
  perform(args: A, run: TrackRun, context: Context): Promise<Verdict>;
  /** {@link WorkerOptions.failed} of a job about a track. */
  failed?(args: A, run: FailedTrackRun, context: Context, tx: Tx, error: string): Promise<void>;
};

/** Declares a worker whose jobs are all about a track, passed as `run.trackId`. */
export function defineTrackWorker<A>(options: TrackWorkerOptions<A>): Worker {
  return defineWorker<A>({
    ...options,
    costs:
      options.costs &&
      ((tx, asked) =>
        options.costs?.(
          tx,
          asked.map(({ subject, args }) => ({ track_id: trackIn(subject), args })),
        ) ?? Promise.resolve([])),
    perform: (args, run, context) =>
      options.perform(args, { ...run, trackId: trackIn(run.subject) }, context),
    failed:
      options.failed &&
      ((args, run, context, tx, error) =>
        options.failed?.(args, { ...run, trackId: trackIn(run.subject) }, context, tx, error) ??
        Promise.resolve()),
  });
}
