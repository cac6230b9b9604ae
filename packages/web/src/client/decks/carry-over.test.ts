import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeckSessionState, deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';
import * as fc from 'fast-check';
import { carryOver, meetOther } from './carry-over.ts';
import { anyDeckMessage } from './testing/any-deck-message.ts';
import { DeckRules, tracks } from './testing/deck-rules.ts';

/** Returns a session with its decks advanced to their positions at `now`. */
function at({ decks, mixer }: DeckSessionState, now: number): DeckSessionState {
  const placed = (deck: DeckState) => ({
    ...deck,
    position_ms: deckPositionMs(deck, now),
    position_at: now,
  });
  return { decks: { a: placed(decks.a), b: placed(decks.b) }, mixer };
}

/** Returns a session with values rounded, without the rounding errors of arithmetic. */
function rounded(session: DeckSessionState): DeckSessionState {
  return JSON.parse(
    JSON.stringify(session, (_, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
    ),
  ) as DeckSessionState;
}

/** A deck whose stems were left for the mix, although its track has some. */
const withoutStems: [DeckMessage, number][] = [
  [{ event: 'load_track', deck: 'a', track_id: tracks[0] }, 0],
  [{ event: 'load_stems', deck: 'a', processing_job_id: null }, 0],
];

test('reproduces any state of the decks in the session they are carried over to', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyDeckMessage, fc.nat(9000)), { maxLength: 60 }), (messages) => {
      const before = new DeckRules();
      for (const [message, waitMs] of messages) {
        before.nowMs += waitMs;
        before.take(message);
      }
      const own = at(before.record.state, before.nowMs);
      const after = new DeckRules();
      after.nowMs = before.nowMs;
      for (const message of carryOver(own)) after.take(message);
      assert.deepEqual(rounded(at(after.record.state, after.nowMs)), rounded(own));
    }),
    { numRuns: 300, examples: [[withoutStems]] },
  );
});

test('carries decks from the playing window over into an empty session, and does not drop playing decks', () => {
  const rules = new DeckRules();
  const empty = createDeckSessionState();
  rules.take({ event: 'load_track', deck: 'a', track_id: tracks[0] });
  const loaded = rules.record.state;
  rules.take({ event: 'set_mixer', changes: { sound_client: 'window-one' } });
  const standing = rules.record.state;
  rules.take({ event: 'play', deck: 'a' });
  const playing = rules.record.state;
  assert.equal(meetOther(empty, empty, 'window-one'), 'follow');
  assert.equal(meetOther(loaded, empty, 'window-one'), 'carry');
  assert.equal(meetOther(playing, empty, 'window-one'), 'carry');
  assert.equal(meetOther(playing, empty, 'window-two'), 'follow', 'the one that sounds carries them');
  assert.equal(meetOther(standing, loaded, 'window-one'), 'follow');
  assert.equal(meetOther(playing, loaded, 'window-one'), 'apart');
  assert.equal(meetOther(playing, loaded, 'window-two'), 'follow');
});
