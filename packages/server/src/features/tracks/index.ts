import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { playsPart } from './plays-part.ts';
import { tracksPart } from './track-entries.ts';
import { trackJobs } from './track-jobs.ts';
import { libraryTopic } from './tracks.channel.ts';
import { trackRoutes } from './tracks.routes.ts';
import { purgeDeletedTracks } from './tracks.sweeper.ts';

export { allTracksOf } from './all-tracks.ts';
export {
  type AudioSourceRow,
  findRendition,
  findSourceByKey,
  findStoredCover,
  insertRendition,
  insertSource,
  listSourceFiles,
  usesSource,
} from './audio-sources.store.ts';
export { listInLibrary } from './catalog-tracks.store.ts';
export { reportDeletedTracks } from './deleted-tracks.service.ts';
export { type EnsuredTrack, ensureTracks } from './ensure-tracks.ts';
export { forgetTracksOf } from './forget-tracks.ts';
export { requireQuotaForTrack } from './require-quota-for-track.ts';
export { trackEntriesPart } from './track-entries.ts';
export { audioSourceExists, hasAudio, keepOwnTrack, liveOwnerOf, trackExists } from './track-facts.store.ts';
export {
  defineTrackWorker,
  requireTrackId,
  type TrackRun,
  trackIdOf,
  trackKind,
  trackSubject,
} from './track-jobs.ts';
export { showTrackIds, showTracks, type TrackSubset } from './track-lists.service.ts';
export {
  attachAudio,
  forgetStems,
  recordDetected,
  recordStems,
  recordTempo,
} from './track-results.service.ts';
export { chargeReceived } from './track-storage.store.ts';
export { announceTrack, ensureTrack, findOwnedTrack, getReadableTrack } from './tracks.service.ts';
export {
  findTrack,
  listSeconds,
  listTitles,
  lockTrack,
  type TrackRow,
  type TrackWithAudio,
} from './tracks.store.ts';

/** The library: tracks of users and the audio that they share. */
export const tracks: Feature = {
  name: 'tracks',
  routes: trackRoutes,
  accountParts: [tracksPart, playsPart],
  jobSubjects: [trackJobs],
  channels: [libraryTopic],
  start: (context) =>
    Promise.resolve(
      every(context, 60, 'purge deleted tracks', () =>
        whileNoBackup(context, () => purgeDeletedTracks(context)),
      ),
    ),
};
