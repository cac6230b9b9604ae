import { createDeckSessionState, createDeckStem } from '@stem-studio/contract/decks/deck-session-state';
import { createEffectSlot } from '@stem-studio/contract/decks/effect-slot';
import {
  createDeckRecord,
  type DeckAcceptTimes,
  type DeckRecord,
  type TakenMessage,
} from '@stem-studio/contract/decks/take-deck-message';
import { type DeckSessionState, deckSession } from '@stem-studio/contract/resources/deck-session';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Defaults of hot cue fields that earlier versions lack. */
const hotCueDefaults = { end_ms: null, label: '', cue_point_id: null };
const { stem_type: _type, ...stemDefaults } = createDeckStem('vocals');

/**
 * Stored state of a session's decks and mixer. A field added to a deck, the mixer or a channel strip gets its default
 * from `createDeckSessionState`, also in previously stored sessions.
 */
export const storedDeckState = storedJson<DeckSessionState>(
  'state of a deck session',
  deckSession.pick({ decks: true, mixer: true }),
  {
    defaults: createDeckSessionState(),
    entryDefaults: {
      'decks.a.stems.*': stemDefaults,
      'decks.b.stems.*': stemDefaults,
      'decks.a.hot_cues.*': hotCueDefaults,
      'decks.b.hot_cues.*': hotCueDefaults,
      'decks.a.effects.*': createEffectSlot('echo'),
      'decks.b.effects.*': createEffectSlot('echo'),
    },
  },
);

const taken = z.tuple([z.string(), z.int()]);

/** Last accepted message of each window of a session. */
export const storedTaken = storedJson<readonly TakenMessage[]>(
  'accepted messages of a deck session',
  z.array(taken),
);

const times: z.ZodType<DeckAcceptTimes> = z.object({ tempo_ms: z.number(), report_ms: z.number() });

/** Times of the last tempo and position messages of a session. */
export const storedAcceptTimes = storedJson<DeckRecord['acceptTimes']>(
  'message times of a deck session',
  z.object({ a: times, b: times }),
  { defaults: createDeckRecord().acceptTimes },
);
