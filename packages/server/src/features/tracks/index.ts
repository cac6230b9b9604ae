import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { libraryTopic } from './tracks.channel.ts';
import { trackRoutes } from './tracks.routes.ts';
import { purgeDeletedTracks } from './tracks.sweeper.ts';

export { allTracksOf } from './all-tracks.ts';
export { type EnsuredTrack, ensureTracks } from './ensure-tracks.ts';
export { forgetTracksOf } from './forget-tracks.ts';
export {
  announceTrack,
  attachAudio,
  ensureTrack,
  findOwnedTrack,
  getReadableTrack,
  recordHeard,
  recordStems,
} from './tracks.service.ts';
export {
  type AudioSourceRow,
  findRendition,
  findSourceByKey,
  findTrack,
  insertRendition,
  insertSource,
  listExistingSources,
  listTitles,
  type TrackWithAudio,
  usesSource,
} from './tracks.store.ts';

/** The library: tracks of users above the sound they share. */
export const tracks: Feature = {
  name: 'tracks',
  routes: trackRoutes,
  channels: [libraryTopic],
  start: (context) =>
    Promise.resolve(every(context, 60, 'purge deleted tracks', () => purgeDeletedTracks(context))),
};
