import type { DeletedTracks } from '@stem-studio/contract/resources/usage';
import type { Context } from './context.ts';
import type { Tx } from './db/database.ts';
import type { JobRow } from './db/platform-tables.ts';

declare module './context.ts' {
  interface Context {
    readonly pipeline: Pipeline;
  }
}

/**
 * Events that later features react to, by name. They carry ids, so that a step reads the rows itself; only the events
 * of jobs carry the rows, because they come with every percent of progress.
 */
export interface PipelineEvents {
  /** A job was requested, or its state or progress changed. */
  'job.changed': { job: JobRow };
  /** Many jobs were cancelled in one transaction. They are not reported one by one as `job.changed`. */
  'jobs.cancelled': { jobs: readonly JobRow[] };
  'download.completed': { track_id: string; user_id: number; job_id: string };
  'processing.completed': { track_id: string; user_id: number; job_id: string };
  'analysis.completed': { track_id: string; user_id: number; job_id: string };
  /** The owner said a tempo, or null for what is heard. Told before the track has it, so that it can be refused. */
  'track.tempo_said': { track_id: string; user_id: number; bpm: number | null };
  'grid.changed': { track_id: string; user_id: number };
  'track.deleted': { track_id: string; user_id: number };
  /**
   * The time in which a deleted track can be restored is over: its row and its jobs are about to be deleted. A feature
   * that stores files for the track passes their folders and their size to `freed`.
   */
  'track.purged': {
    track_id: string;
    freed: (part: { readonly folders: readonly string[]; readonly bytes: number }) => void;
  };
  /** A user's storage is about to be shown; `report` takes what their deleted tracks still occupy. */
  'usage.requested': { user_id: number; report: (deleted: DeletedTracks) => void };
  /**
   * Their jobs have ended, their row still stands. Each feature removes what is theirs, and gives `later` what is to be
   * done elsewhere once they have gone; nobody waits for that.
   */
  'user.deleted': { user_id: number; later: (work: () => Promise<void>) => void };
}

/** One thing that follows an event, done in the transaction of whoever emitted it. */
export type PipelineStep<N extends keyof PipelineEvents> = (
  context: Context,
  tx: Tx,
  payload: PipelineEvents[N],
) => Promise<void>;

/** What follows what, as a table. */
export type Pipeline = { readonly [N in keyof PipelineEvents]?: readonly PipelineStep<N>[] };

/**
 * Runs, in order and in the caller's transaction, what the pipeline's table says about the event. A step that throws
 * takes the caller's change back with it.
 */
export async function emit<N extends keyof PipelineEvents>(
  context: Context,
  tx: Tx,
  name: N,
  payload: PipelineEvents[N],
): Promise<void> {
  const steps: readonly PipelineStep<N>[] = context.pipeline[name] ?? [];
  for (const step of steps) await step(context, tx, payload);
}
