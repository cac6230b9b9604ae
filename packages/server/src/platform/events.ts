import type { DeletedTracks } from '@stem-studio/contract/resources/usage';
import type { GridMove } from '@stem-studio/dsp/rhythm/grid/grid-move';
import type { Context } from './context.ts';
import type { Tx } from './db/database.ts';
import type { JobRow } from './db/platform-tables.ts';

declare module './context.ts' {
  interface Context {
    readonly pipeline: Pipeline;
  }
}

/**
 * Events that features react to, by name. They carry ids, so that each step reads the rows itself; only job events
 * carry the rows, because they are emitted with every percent of progress.
 */
export interface PipelineEvents {
  /** A job was requested, or its state or progress changed. */
  'job.changed': { job: JobRow };
  /** Many jobs were cancelled in one transaction. No `job.changed` is emitted for them. */
  'jobs.cancelled': { jobs: readonly JobRow[] };
  /** A track got new audio. `has_stems` tells whether its stems came with it. */
  'download.completed': { track_id: string; user_id: number; job_id: string; has_stems: boolean };
  'processing.completed': { track_id: string; user_id: number; job_id: string };
  /** The stems of a separation were deleted. `next` is the separation that takes its place, or null. */
  'stems.deleted': { track_id: string; user_id: number; job_id: string; next: string | null };
  'analysis.completed': { track_id: string; user_id: number; job_id: string };
  /**
   * The owner set a tempo, or null for the detected one. Emitted before the track is changed, so that a step can reject
   * it.
   */
  'track.tempo_set': { track_id: string; user_id: number; bpm: number | null };
  /** The beats of a track were edited. `move` takes positions to the edited grid; null where no beat corresponds. */
  'grid.changed': { track_id: string; user_id: number; move: GridMove | null };
  'track.deleted': { track_id: string; user_id: number };
  /**
   * The grace period of a deleted track is over: its row and its jobs are about to be deleted. A feature that stores
   * files for the track passes their folders and their size to `freed`.
   */
  'track.purged': {
    track_id: string;
    freed: (part: { readonly folders: readonly string[]; readonly bytes: number }) => void;
  };
  /** A user's storage is about to be shown. `report` receives the space that their deleted tracks still occupy. */
  'usage.requested': { user_id: number; report: (deleted: DeletedTracks) => void };
  /**
   * A user is being deleted: their jobs have ended, their row still exists. Each feature removes the user's data, and
   * passes work for other systems to `later`, which runs after the deletion and is not awaited.
   */
  'user.deleted': { user_id: number; later: (work: () => Promise<void>) => void };
}

/** Reaction to an event, in the transaction of its emitter. */
export type PipelineStep<N extends keyof PipelineEvents> = (
  context: Context,
  tx: Tx,
  payload: PipelineEvents[N],
) => Promise<void>;

/** Steps that follow each event. */
export type Pipeline = { readonly [N in keyof PipelineEvents]?: readonly PipelineStep<N>[] };

/**
 * Runs the pipeline's steps for an event, in order and in the caller's transaction. A step that throws rolls back the
 * caller's change.
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
