import { libraryChannel } from '@stem-studio/contract/events/library';
import type { Cue, CueList } from '@stem-studio/contract/resources/cue';
import type { CuePlan } from '@stem-studio/dsp/structure/cues/cue-plan';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { stateForbids } from '../../platform/errors.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { type AcceptedJob, type RequestOptions, requestJobOnce } from '../../platform/queue/jobs.ts';
import { publish } from '../../platform/socket/publish.ts';
import { findNewestGrid, hasGrid, type TrackGrid } from '../analysis/index.ts';
import { findOwnedTrack, getReadableTrack, requireQuotaForTrack, trackSubject } from '../tracks/index.ts';
import * as store from './cues.store.ts';
import { mergeCues } from './merge-cues.ts';
import { presentCues } from './present-cues.ts';

async function requestCues(
  context: Context,
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
  { follows, admit }: RequestOptions = {},
): Promise<AcceptedJob> {
  const subject = trackSubject(track.id);
  const job = { type: 'cues', user_id: track.user_id, subject, args: {}, follows } as const;
  // A running job may have read the previous analysis; only a waiting one is equivalent.
  return requestJobOnce(context, tx, job, ({ status }) => status === 'queued', admit);
}

/** Requests cue points in the transaction that completes an analysis, if that contains beats. */
export async function requestCuesAfter(
  context: Context,
  tx: Tx,
  analysis: PipelineEvents['analysis.completed'],
): Promise<void> {
  if (!(await hasGrid(tx, analysis.job_id))) return;
  await requestCues(
    context,
    tx,
    { id: analysis.track_id, user_id: analysis.user_id },
    { follows: analysis.job_id },
  );
}

/**
 * Requests cue points in the transaction that changes a track's beats. It applies to tracks that have cue points or
 * are to get them.
 */
export async function requestCuesOnGrid(
  context: Context,
  tx: Tx,
  { track_id, user_id }: PipelineEvents['grid.changed'],
): Promise<void> {
  if (!context.config.autoAnalyze && !(await store.findPlan(tx, track_id))) return;
  await requestCues(context, tx, { id: track_id, user_id });
}

/** Requests new placement of the cue points of the caller's track. Throws `NOT_FOUND` or `TRACK_NOT_ANALYZED`. */
export async function replanCues(context: Context, viewer: Viewer, trackId: string): Promise<AcceptedJob> {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  if (!(await findNewestGrid(context.db, track))) {
    throw stateForbids('TRACK_NOT_ANALYZED', 'the track has not been analysed for beats: analyse it first');
  }
  return context.db.transaction().execute((tx) =>
    requestCues(context, tx, track, {
      admit: (locked) => requireQuotaForTrack(context, locked, track, { what: 'this', jobs: 1 }),
    }),
  );
}

/** Stores a cue plan, merged with the owner's changes, and publishes it. */
export async function completeCues(
  context: Context,
  tx: Tx,
  run: { readonly trackId: string; readonly userId: number },
  grid: TrackGrid,
  plan: CuePlan,
): Promise<void> {
  const { trackId } = run;
  await store.lockCues(tx, trackId);
  const now = context.clock.now();
  const { inserted, updated, removedIds } = mergeCues(await store.listCues(tx, trackId), grid, plan);
  await store.removeCues(tx, removedIds);
  for (const { id, change } of updated) await store.updateCue(tx, id, { ...change, updated_at: now });
  const untouched = { source: 'auto', is_edited: false, is_promoted: false, deleted_at: null } as const;
  await store.insertCues(
    tx,
    inserted.map((cue) => ({
      ...cue,
      ...untouched,
      id: newId(),
      track_id: trackId,
      created_at: now,
      updated_at: now,
    })),
  );
  await store.recordPlan(tx, { track_id: trackId, reason: plan.reason, placed_at: now });
  await announceCues(tx, { id: trackId, user_id: run.userId });
}

/** Notifies the owner's pages that the cue points of a track have changed, when the caller's transaction commits. */
export async function announceCues(
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
): Promise<void> {
  await publish(tx, libraryChannel, { user_id: track.user_id }, 'cues_updated', { track_id: track.id });
}

/** Returns the visible cue points of a track in ascending order. */
export async function listShownCues(db: Db, trackId: string): Promise<Cue[]> {
  return presentCues(await store.listCues(db, trackId));
}

/** Returns the cue points of a readable track. Throws `NOT_FOUND`. */
export async function showCues(context: Context, viewer: Viewer, trackId: string): Promise<CueList> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  const plan = await store.findPlan(context.db, track.id);
  return {
    cues: await listShownCues(context.db, track.id),
    reason: plan?.reason ?? null,
    placed_at: plan?.placed_at.toISOString() ?? null,
  };
}
