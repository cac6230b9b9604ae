import { followTempoEdit, requestAnalysis } from './features/analysis/index.ts';
import { moveCuesWithGrid, requestCuesAfter, requestCuesOnGrid } from './features/cues/index.ts';
import {
  followDeletedStems,
  followTrackLoudness,
  followTrackTempo,
  loadCompletedStems,
  moveDecksWithGrid,
  unloadTrack,
} from './features/decks/index.ts';
import { forgetUploads } from './features/downloads/index.ts';
import { forgetMixesOfTrack, forgetMixesOfUser } from './features/exports/index.ts';
import { publishCancelled, publishProgress } from './features/jobs/index.ts';
import {
  forgetStemsOfTrack,
  forgetStemsOfUser,
  markTasksOfLeaver,
  requestSeparationAfter,
} from './features/processing/index.ts';
import { keepProjects, reviveProjects } from './features/projects/index.ts';
import { forgetTracksOf, reportDeletedTracks } from './features/tracks/index.ts';
import type { Pipeline } from './platform/events.ts';

/**
 * Event handlers of the features. Each runs in the transaction that emitted the event, so that a track never has its
 * audio without the jobs that come next.
 */
export const pipeline: Pipeline = {
  'job.changed': [publishProgress],
  'jobs.cancelled': [publishCancelled],
  'download.completed': [
    async (context, tx, { track_id, user_id, job_id }) => {
      if (!context.config.autoAnalyze) return;
      await requestAnalysis(
        context,
        tx,
        { id: track_id, user_id },
        { features: ['all'] },
        { follows: job_id },
      );
    },
    // Last, because it takes the lock of the user's quota, after which no other lock may be taken.
    async (context, tx, { track_id, job_id, has_stems }) => {
      if (context.config.autoSeparate && !has_stems)
        await requestSeparationAfter(context, tx, track_id, job_id);
    },
  ],
  'analysis.completed': [
    async (context, tx, analysis) => {
      if (context.config.autoAnalyze) await requestCuesAfter(context, tx, analysis);
    },
    followTrackTempo,
    followTrackLoudness,
  ],
  'processing.completed': [loadCompletedStems, reviveProjects],
  'track.tempo_set': [followTempoEdit, followTrackTempo],
  'grid.changed': [moveCuesWithGrid, requestCuesOnGrid, followTrackTempo, moveDecksWithGrid],
  'stems.deleted': [followDeletedStems, keepProjects],
  'track.deleted': [unloadTrack],
  'track.purged': [
    forgetStemsOfTrack,
    forgetMixesOfTrack,
    (context, tx, { track_id }) => forgetUploads(context, tx, { trackId: track_id }),
  ],
  'usage.requested': [reportDeletedTracks],
  'user.deleted': [
    async (context, tx, { user_id, later }) => {
      const endTasks = await markTasksOfLeaver(context, tx, user_id);
      if (endTasks) later(endTasks);
    },
    // Uploads first, because their type is stored in the jobs, which are deleted with the tracks.
    (context, tx, { user_id }) => forgetUploads(context, tx, { userId: user_id }),
    forgetStemsOfUser,
    forgetMixesOfUser,
    (context, tx, { user_id }) => forgetTracksOf(context, tx, user_id),
  ],
};
