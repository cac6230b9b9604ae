import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { keepDebugLogs, watchSeconds } from './deck-debug.ts';
import { deckDebugTopic, deckTopic } from './decks.channel.ts';
import { sweepDeckSessions } from './decks.service.ts';

export {
  followDeletedStems,
  followTrackLoudness,
  followTrackTempo,
  loadCompletedStems,
  moveDecksWithGrid,
  unloadTrack,
} from './decks.service.ts';

/** Feature of the decks: two players and a mixer, shared by every window of a login. */
export const decks: Feature = {
  name: 'decks',
  channels: [deckTopic, deckDebugTopic],
  start: (context) => {
    const ends = [
      every(context, 600, 'remove idle deck sessions', () => sweepDeckSessions(context)),
      every(context, watchSeconds, 'keep debug logs of decks', () => keepDebugLogs(context)),
    ];
    return Promise.resolve(async () => {
      await Promise.all(ends.map((end) => end()));
    });
  },
};
