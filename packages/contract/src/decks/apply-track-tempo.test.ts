import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckMessage } from '../events/decks.ts';
import type { DeckSessionState } from '../resources/deck-session.ts';
import { applyDeckMessage, applyTrackTempo } from './apply-deck-message.ts';
import { createDeckSessionState, deckPositionMs } from './deck-session-state.ts';
import { playedBpm } from './synced-tempo.ts';

const ONE = '0198c0de-0000-7000-8000-000000000001';
const TWO = '0198c0de-0000-7000-8000-000000000002';

/** Returns a session with a track of 120 BPM on deck A and another of 128 BPM on deck B. */
function mixing(...messages: readonly DeckMessage[]): DeckSessionState {
  const facts = (track_bpm: number) => ({ now: 0, track: { track_bpm, duration_ms: 240_000, hot_cues: [] } });
  const a = applyDeckMessage(
    createDeckSessionState(),
    { event: 'load_track', deck: 'a', track_id: ONE },
    facts(120),
  );
  const both = applyDeckMessage(a, { event: 'load_track', deck: 'b', track_id: TWO }, facts(128));
  return messages.reduce((session, message) => applyDeckMessage(session, message, { now: 0 }), both);
}

const bpmOf = ({ decks }: DeckSessionState, deck: 'a' | 'b') => playedBpm(decks[deck])?.toFixed(6);

test('keeps playback rate and position when the tempo of a track is corrected, and reports the new tempo', () => {
  const before = mixing(
    { event: 'update_bpm', deck: 'a', bpm: 126 },
    { event: 'play', deck: 'a', position_ms: 1000 },
  );
  const after = applyTrackTempo(before, ONE, 60, 10_000);
  assert.deepEqual([after.decks.a.track_bpm, bpmOf(after, 'a')], [60, '63.000000']);
  assert.equal(after.decks.a.tempo_percent, before.decks.a.tempo_percent);
  assert.equal(deckPositionMs(after.decks.a, 20_000), deckPositionMs(before.decks.a, 20_000));
  assert.equal(after.decks.b, before.decks.b);
});

test('matches a following deck to the tempo of the leader again and keeps its position', () => {
  const before = mixing(
    { event: 'set_deck', deck: 'b', changes: { is_synced: true } },
    { event: 'play', deck: 'a' },
    { event: 'play', deck: 'b' },
  );
  assert.equal(bpmOf(before, 'b'), '120.000000');
  const after = applyTrackTempo(before, TWO, 125, 10_000);
  assert.equal(bpmOf(after, 'b'), '120.000000');
  assert.ok(Math.abs(after.decks.b.tempo_percent + 4) < 1e-9);
  assert.equal(deckPositionMs(after.decks.b, 10_000), deckPositionMs(before.decks.b, 10_000));
});

test("changes the tempo of a follower when the tempo of the leader's track is corrected", () => {
  const before = mixing({ event: 'set_mixer', changes: { is_master_synced: true } });
  assert.equal(bpmOf(before, 'b'), '120.000000');
  const after = applyTrackTempo(before, ONE, 126, 0);
  assert.deepEqual([bpmOf(after, 'a'), bpmOf(after, 'b')], ['126.000000', '126.000000']);
});

test('reports no tempo for a track that has lost its beats and keeps the tempo of its follower', () => {
  const before = mixing({ event: 'set_mixer', changes: { is_master_synced: true } });
  const after = applyTrackTempo(before, ONE, null, 0);
  assert.deepEqual([after.decks.a.track_bpm, bpmOf(after, 'b')], [null, '120.000000']);
});

test('changes nothing for an unchanged tempo or a track that is on neither deck', () => {
  const before = mixing();
  assert.equal(applyTrackTempo(before, ONE, 120, 10_000), before);
  assert.equal(applyTrackTempo(before, '0198c0de-0000-7000-8000-000000000003', 90, 10_000), before);
});
