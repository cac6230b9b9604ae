import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DeckMessage,
  deckChannel,
  deckDebugChannel,
  deckMessages,
  deckReply,
  deckWelcome,
} from '../events/decks.ts';
import type { DeckLoop, DeckSessionState } from '../resources/deck-session.ts';
import { applyDeckMessage, type DeckFacts } from './apply-deck-message.ts';
import { createDeckSessionState, deckPositionMs } from './deck-session-state.ts';
import { playedBpm } from './synced-tempo.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';

function loaded(bpmA: number | null, bpmB: number | null): DeckSessionState {
  const load = (session: DeckSessionState, deck: 'a' | 'b', track_bpm: number | null) =>
    applyDeckMessage(
      session,
      { event: 'load_track', deck, track_id: TRACK },
      { now: 0, track: { track_bpm, duration_ms: 240_000, hot_cues: [] } },
    );
  return load(load(createDeckSessionState(), 'a', bpmA), 'b', bpmB);
}

const play = (deck: 'a' | 'b'): DeckMessage => ({ event: 'play', deck });
const after = (session: DeckSessionState, messages: readonly DeckMessage[], facts: DeckFacts = { now: 0 }) =>
  messages.reduce((state, message) => applyDeckMessage(state, message, facts), session);

test('creates a session with two empty decks and a linear crossfader that satisfies the schema', () => {
  const { decks, mixer } = createDeckSessionState();
  assert.equal(mixer.crossfader_curve, 'linear');
  const session = { id: TRACK, version: 0, decks, mixer };
  assert.deepEqual(deckWelcome.parse({ session, now: 1, taken: [] }).session, session);
  assert.equal(deckChannel.params.safeParse({ deck_session_id: 'current' }).success, true);
  assert.equal(deckDebugChannel.params.safeParse({ deck_session_id: 'current' }).success, false);
});

test('advances a playing deck at its tempo and keeps a paused one in place', () => {
  const session = after(loaded(120, null), [
    { event: 'update_bpm', deck: 'a', bpm: 132 },
    { event: 'play', deck: 'a', position_ms: 1000 },
  ]);
  assert.equal(Math.round(deckPositionMs(session.decks.a, 10_000)), 12_000);
  const paused = after(session, [{ event: 'pause', deck: 'a' }], { now: 10_000 });
  assert.equal(Math.round(deckPositionMs(paused.decks.a, 90_000)), 12_000);
});

test('repeats an active loop and stops at the end of the track without one', () => {
  const loop: DeckLoop = { start_ms: 2000, end_ms: 4000, active: true };
  const session = after(loaded(120, null), [play('a'), { event: 'set_loop', deck: 'a', loop }]);
  assert.equal(deckPositionMs(session.decks.a, 4500), 2500);
  assert.equal(deckPositionMs(session.decks.a, 8500), 2500);
  const open = after(session, [{ event: 'set_loop', deck: 'a', loop: { ...loop, active: false } }]);
  assert.equal(deckPositionMs(open.decks.a, 10 ** 9), 240_000);
});

test('locks the tempo of deck B to deck A under master sync, also at half and double tempo', () => {
  const session = after(loaded(126, 174), [
    { event: 'set_mixer', changes: { is_master_synced: true } },
    play('a'),
  ]);
  assert.equal(playedBpm(session.decks.b)?.toFixed(2), '126.00');
  const faster = after(session, [{ event: 'update_bpm', deck: 'a', bpm: 130 }]);
  assert.equal(playedBpm(faster.decks.b)?.toFixed(2), '130.00');
  const own = after(faster, [{ event: 'update_bpm', deck: 'b', bpm: 90 }]);
  assert.equal(playedBpm(own.decks.b)?.toFixed(2), '130.00');
  const slow = after(loaded(70, 140), [{ event: 'set_mixer', changes: { is_master_synced: true } }]);
  assert.equal(slow.decks.b.tempo_percent, 0);
});

test('does not move a deck forward for a message older than its last reported position', () => {
  const session = after(loaded(120, 120), [
    { event: 'play', deck: 'a', position_ms: 1000 },
    play('b'),
    { event: 'set_deck', deck: 'b', changes: { is_synced: true } },
  ]);
  const reports: DeckMessage[] = [
    { event: 'report_position', deck: 'a', position_ms: 5000 },
    { event: 'report_position', deck: 'b', position_ms: 4000 },
  ];
  const reported = after(session, reports, { now: 4000 });
  for (const message of [
    { event: 'update_bpm', deck: 'a', bpm: 132 },
    { event: 'set_loop', deck: 'a', loop: null },
    play('a'),
  ] as const) {
    const late = after(reported, [message], { now: 500 });
    assert.equal(deckPositionMs(late.decks.a, 4000), 5000, message.event);
    assert.equal(deckPositionMs(late.decks.b, 4000), 4000, message.event);
  }
});

test('switches on key lock of deck B with master sync and ends master sync when sync of deck B is switched off', () => {
  const unlocked: DeckMessage = { event: 'set_deck', deck: 'b', changes: { is_key_locked: false } };
  const lock: DeckMessage = { event: 'set_mixer', changes: { is_master_synced: true } };
  const free: DeckMessage = { event: 'set_deck', deck: 'b', changes: { is_synced: false } };
  const session = after(loaded(120, 126), [unlocked, lock]);
  assert.equal(session.decks.b.is_key_locked, true);
  assert.equal(session.decks.b.is_synced, true);
  const freed = after(session, [free]);
  assert.equal(freed.mixer.is_master_synced, false);
  assert.equal(playedBpm(after(freed, [{ event: 'update_bpm', deck: 'b', bpm: 100 }]).decks.b), 100);
  const again = after(freed, [lock]);
  assert.equal(again.decks.b.is_synced, true);
  assert.equal(playedBpm(again.decks.b), 120);
});

test('makes the other deck the leader when the leader stops', () => {
  const both = after(loaded(120, 124), [play('a'), play('b')]);
  assert.equal(both.mixer.master_deck, 'a');
  const handed = after(both, [{ event: 'pause', deck: 'a' }]);
  assert.equal(handed.mixer.master_deck, 'b');
  assert.equal(after(handed, [{ event: 'pause', deck: 'b' }]).mixer.master_deck, null);
});

test('activates a loop for a hot cue with an end and ignores an empty slot', () => {
  const cue = { position_ms: 8000, end_ms: 10_000, label: 'Drop', color: '#ff5d5d', cue_point_id: null };
  const session = after(loaded(120, null), [{ event: 'set_hot_cue', deck: 'a', slot: 3, cue }]);
  const jumped = after(session, [{ event: 'trigger_cue', deck: 'a', slot: 3 }]);
  assert.equal(jumped.decks.a.position_ms, 8000);
  assert.deepEqual(jumped.decks.a.loop, { start_ms: 8000, end_ms: 10_000, active: true });
  assert.equal(after(session, [{ event: 'trigger_cue', deck: 'a', slot: 4 }]), session);
});

test('does not play an empty deck and rejects a message with an unknown field', () => {
  const empty = createDeckSessionState();
  assert.equal(after(empty, [play('a'), { event: 'seek', deck: 'b', position_ms: 5 }]), empty);
  assert.equal(deckMessages.toggle_play.parse({ deck: 'A' }).deck, 'a');
  assert.equal(deckMessages.toggle_play.safeParse({ deck: 'c' }).success, false);
  assert.equal(deckMessages.play.safeParse({ deck: 'a', volume: 1 }).success, false);
  assert.equal(deckReply.safeParse({ accepted: false, version: 3, retry_after: 4.2 }).success, true);
});
