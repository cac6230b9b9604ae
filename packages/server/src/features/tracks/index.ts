import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { addUpTrackCounts } from './track-counts.store.ts';
import { trackJobs } from './track-jobs.ts';
import { libraryTopic } from './tracks.channel.ts';
import { trackRoutes } from './tracks.routes.ts';
import { purgeDeletedTracks } from './tracks.sweeper.ts';

export { allTracksOf } from './all-tracks.ts';
export {
  type AudioSourceRow,
  findRendition,
  findSourceByKey,
  insertRendition,
  insertSource,
  listSourceFiles,
  usesSource,
} from './audio-sources.store.ts';
export { type EnsuredTrack, ensureTracks } from './ensure-tracks.ts';
export { forgetTracksOf } from './forget-tracks.ts';
export {
  defineTrackWorker,
  requireTrackId,
  type TrackRun,
  trackIdOf,
  trackKind,
  trackSubject,
} from './track-jobs.ts';
export {
  announceTrack,
  attachAudio,
  ensureTrack,
  findOwnedTrack,
  forgetStems,
  getReadableTrack,
  recordHeard,
  recordStems,
  recordTempo,
} from './tracks.service.ts';
export {
  findTrack,
  listSeconds,
  listTitles,
  type TrackWithAudio,
} from './tracks.store.ts';

/** The library: tracks of users above the sound they share. */
export const tracks: Feature = {
  name: 'tracks',
  routes: trackRoutes,
  jobSubjects: [trackJobs],
  channels: [libraryTopic],
  start: (context) =>
    Promise.resolve(
      every(context, 60, 'purge deleted tracks', async () => {
        await whileNoBackup(context, () => purgeDeletedTracks(context));
        await addUpTrackCounts(context.db);
      }),
    ),
};
