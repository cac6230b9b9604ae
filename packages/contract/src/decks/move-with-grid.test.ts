import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckMessage } from '../events/decks.ts';
import { applyDeckMessage } from './apply-deck-message.ts';
import { createDeckSessionState } from './deck-session-state.ts';
import { moveWithGrid, type PositionMove } from './move-with-grid.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';

/** Takes beats at every half second to beats 20 ms later that last 1 % longer. */
const between = (seconds: number) => 0.02 + seconds * 1.01;
const move: PositionMove = {
  between,
  onBeat: (seconds) => (Math.abs(seconds * 2 - Math.round(seconds * 2)) < 0.02 ? between(seconds) : null),
};

function deckAfter(...messages: readonly DeckMessage[]) {
  const track = { track_bpm: 120, duration_ms: 60_000, hot_cues: [] };
  const load: DeckMessage = { event: 'load_track', deck: 'a', track_id: TRACK };
  const session = [load, ...messages].reduce(
    (before, message) => applyDeckMessage(before, message, { now: 0, track }),
    createDeckSessionState(),
  );
  return moveWithGrid(session, TRACK, move).decks.a;
}

test('the cue point and hot cues on a beat move to it, others stay', () => {
  const hotCue = (slot: number, position_ms: number, end_ms: number | null = null): DeckMessage => ({
    event: 'set_hot_cue',
    deck: 'a',
    slot,
    cue: { position_ms, end_ms, label: '', color: '#ffffff', cue_point_id: null },
  });
  const deck = deckAfter(
    { event: 'set_cue', deck: 'a', position_ms: 2000 },
    hotCue(0, 4000),
    hotCue(1, 4130),
    hotCue(2, 8000, 10_000),
  );
  assert.equal(deck.cue_ms, 2040);
  assert.deepEqual(
    deck.hot_cues.map(({ position_ms, end_ms }) => [Math.round(position_ms), end_ms && Math.round(end_ms)]),
    [
      [4060, null],
      [4130, null],
      [8100, 10_120],
    ],
  );
});

test('a loop that starts on a beat keeps its length in beats, also where it ends between two', () => {
  const loopAfter = (start_ms: number, end_ms: number) =>
    deckAfter({ event: 'set_loop', deck: 'a', loop: { start_ms, end_ms, active: true } }).loop;
  assert.deepEqual(loopAfter(2000, 2250), { start_ms: 2040, end_ms: 2292.5, active: true });
  assert.deepEqual(loopAfter(2100, 3000), { start_ms: 2100, end_ms: 3000, active: true });
});

test('a cue point at the beginning stays, as does what would leave the track', () => {
  assert.equal(deckAfter().cue_ms, 0);
  assert.equal(deckAfter({ event: 'set_cue', deck: 'a', position_ms: 60_000 }).cue_ms, 60_000);
});
