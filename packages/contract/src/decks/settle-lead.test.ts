import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { DeckMessage } from '../events/decks.ts';
import type { DeckSessionState } from '../resources/deck-session.ts';
import { applyDeckMessage, applyTrackTempo } from './apply-deck-message.ts';
import { createDeckSessionState, otherDeck } from './deck-session-state.ts';
import { canFollow } from './settle-lead.ts';
import { playedBpm } from './synced-tempo.ts';

type Letter = 'a' | 'b';

const ONE = '0198c0de-0000-7000-8000-000000000001';
const TWO = '0198c0de-0000-7000-8000-000000000002';

const play = (deck: Letter): DeckMessage => ({ event: 'play', deck });
const pause = (deck: Letter): DeckMessage => ({ event: 'pause', deck });
const sync = (deck: Letter, is_synced = true): DeckMessage => ({
  event: 'set_deck',
  deck,
  changes: { is_synced },
});
const changeTempo = (deck: Letter, bpm: number): DeckMessage => ({ event: 'update_bpm', deck, bpm });
const masterSync = (is_master_synced: boolean): DeckMessage => ({
  event: 'set_mixer',
  changes: { is_master_synced },
});

const after = (session: DeckSessionState, ...messages: readonly DeckMessage[]) =>
  messages.reduce((state, message) => applyDeckMessage(state, message, { now: 0 }), session);

function load(session: DeckSessionState, deck: Letter, track_bpm: number | null, track_id = ONE) {
  const track = { track_bpm, duration_ms: 240_000, hot_cues: [] };
  return applyDeckMessage(session, { event: 'load_track', deck, track_id }, { now: 0, track });
}

const loaded = (bpmA: number | null, bpmB: number | null) =>
  load(load(createDeckSessionState(), 'a', bpmA), 'b', bpmB, TWO);

/** Returns the tempi of both decks, the synced decks, and the leader. */
function summaryOf({ decks, mixer }: DeckSessionState) {
  const lit = (['a', 'b'] as const).filter((deck) => decks[deck].is_synced).join('');
  return [playedBpm(decks.a)?.toFixed(2), playedBpm(decks.b)?.toFixed(2), lit, mixer.master_deck];
}

test('makes the deck whose sync is pressed follow the other, even if it was the leader', () => {
  const playing = after(loaded(124, 128), play('a'), play('b'));
  assert.deepEqual(summaryOf(playing), ['124.00', '128.00', '', 'a']);
  const followed = after(playing, sync('a'));
  assert.deepEqual(summaryOf(followed), ['128.00', '128.00', 'a', 'b']);
  assert.deepEqual(summaryOf(after(followed, changeTempo('b', 130))), ['130.00', '130.00', 'a', 'b']);
  assert.deepEqual(summaryOf(after(playing, sync('b'))), ['124.00', '124.00', 'b', 'a']);
});

test('swaps leader and follower when sync is pressed on the leader', () => {
  const first = after(loaded(124, 128), play('a'), play('b'), sync('b'), changeTempo('a', 126));
  const turned = after(first, sync('a'));
  assert.deepEqual(summaryOf(turned), ['126.00', '126.00', 'a', 'b']);
  assert.deepEqual(summaryOf(after(turned, changeTempo('b', 120))), ['120.00', '120.00', 'a', 'b']);
  assert.deepEqual(summaryOf(after(turned, sync('a', false), changeTempo('b', 120))), [
    '126.00',
    '120.00',
    '',
    'b',
  ]);
});

test('does not switch sync on for a deck that plays alone', () => {
  const alone = after(loaded(124, 128), play('b'));
  assert.equal(canFollow(alone, 'b'), false);
  assert.equal(after(alone, sync('b')), alone);
  assert.equal(canFollow(alone, 'a'), true);
  const more = after(alone, {
    event: 'set_deck',
    deck: 'b',
    changes: { is_synced: true, is_slipping: true },
  });
  assert.deepEqual([more.decks.b.is_synced, more.decks.b.is_slipping], [false, true]);
});

test('requires a track with a tempo on the other deck for sync, and accepts a stopped one if none plays', () => {
  const empty = load(createDeckSessionState(), 'b', 128);
  assert.equal(after(empty, sync('b')), empty);
  const mute = loaded(null, 128);
  assert.equal(after(mute, sync('b')), mute);
  assert.equal(after(mute, sync('a')), mute);
  const standing = after(loaded(124, 128), sync('b'));
  assert.deepEqual(summaryOf(standing), ['124.00', '124.00', 'b', 'a']);
  assert.deepEqual(summaryOf(after(standing, play('a'), play('b'))), ['124.00', '124.00', 'b', 'a']);
});

test('accepts sync on an empty deck and loads its next track at the tempo of the other deck', () => {
  const session = after(load(createDeckSessionState(), 'a', 124), play('a'), sync('b'));
  assert.deepEqual(summaryOf(load(session, 'b', 128)), ['124.00', '124.00', 'b', 'a']);
});

test('keeps a follower synced until the service has reported the properties of a loaded track', () => {
  const session = after(loaded(124, 128), play('a'), sync('b'));
  const waiting = after(session, { event: 'load_track', deck: 'b', track_id: ONE });
  assert.equal(waiting.decks.b.is_synced, true);
});

test('makes the follower the leader at its current tempo and unsynced when the leader stops', () => {
  const mixed = after(loaded(124, 128), play('a'), play('b'), sync('b'), changeTempo('a', 126));
  const handed = after(mixed, pause('a'));
  assert.deepEqual(summaryOf(handed), ['126.00', '126.00', '', 'b']);
  assert.deepEqual(summaryOf(after(handed, changeTempo('a', 100), play('a'))), ['100.00', '126.00', '', 'b']);
  assert.deepEqual(summaryOf(after(handed, sync('a'), play('a'), changeTempo('b', 127))), [
    '127.00',
    '127.00',
    'a',
    'b',
  ]);
  assert.deepEqual(summaryOf(load(handed, 'a', 90)), ['90.00', '126.00', '', 'b']);
});

test('ends the lead of a deck that is unloaded or loses its tempo', () => {
  const mixed = after(loaded(124, 128), play('a'), play('b'), sync('b'));
  const off = after(mixed, { event: 'load_track', deck: 'a', track_id: null });
  assert.deepEqual([off.decks.b.is_synced, off.mixer.master_deck], [false, 'b']);
  const mute = applyTrackTempo(mixed, ONE, null, 0);
  assert.deepEqual([mute.decks.b.is_synced, mute.mixer.master_deck], [false, 'a']);
});

test('locks deck B to deck A under master sync until sync is pressed on deck A', () => {
  const locked = after(loaded(124, 128), play('b'), masterSync(true));
  assert.deepEqual(summaryOf(locked), ['124.00', '124.00', 'b', 'a']);
  assert.deepEqual(summaryOf(after(locked, changeTempo('a', 126), play('a'), pause('a'))), [
    '126.00',
    '126.00',
    'b',
    'a',
  ]);
  const turned = after(locked, changeTempo('a', 126), play('a'), sync('a'));
  assert.deepEqual(summaryOf(turned), ['126.00', '126.00', 'a', 'b']);
  assert.equal(turned.mixer.is_master_synced, false);
  const alone = after(locked, play('a'), pause('b'));
  assert.equal(after(alone, sync('a')), alone);
  assert.deepEqual(summaryOf(after(locked, masterSync(false))), ['124.00', '124.00', '', 'b']);
});

test('replaces a sync in the other direction by master sync', () => {
  const session = after(loaded(124, 128), play('a'), play('b'), sync('a'), masterSync(true));
  assert.deepEqual(summaryOf(session), ['128.00', '128.00', 'b', 'a']);
});

test('keeps the octave of a follower during small tempo changes of the leader', () => {
  let session = after(loaded(66, 90), play('a'), play('b'), sync('b'));
  for (let bpm = 66; bpm > 62; bpm -= 0.066) {
    session = after(session, changeTempo('a', bpm));
    assert.ok(Math.abs((playedBpm(session.decks.b) ?? 0) - bpm) < 1e-9, `${bpm}`);
  }
});

test('uses the smallest tempo range that contains the tempo when a smaller one is requested', () => {
  const session = after(loaded(66.33, 90), play('a'), sync('b'));
  assert.ok(Math.abs(session.decks.b.tempo_percent + 26.3) < 1e-9);
  assert.equal(session.decks.b.tempo_range, 50);
  const range = (tempo_range: 8 | 16 | 50): DeckMessage => ({
    event: 'set_deck',
    deck: 'b',
    changes: { tempo_range },
  });
  assert.equal(after(session, range(8)).decks.b.tempo_range, 50);
  const free = after(session, sync('b', false), changeTempo('b', 80));
  assert.equal(after(free, range(8)).decks.b.tempo_range, 16);
  assert.equal(after(free, changeTempo('b', 180), range(8)).decks.b.tempo_range, 50);
});

test("keeps at most one deck synced, to the leader and at the leader's tempo, for any sequence of messages", () => {
  const deck = fc.constantFrom('a' as const, 'b' as const);
  const message: fc.Arbitrary<DeckMessage> = fc.oneof(
    deck.map(play),
    deck.map(pause),
    fc.tuple(deck, fc.boolean()).map(([id, isOn]) => sync(id, isOn)),
    fc.tuple(deck, fc.integer({ min: 60, max: 200 })).map(([id, bpm]) => changeTempo(id, bpm)),
    fc.boolean().map(masterSync),
    deck.map((id): DeckMessage => ({ event: 'jump_to_cue', deck: id })),
    fc
      .constantFrom('a' as const, 'b' as const, null)
      .map((master_deck): DeckMessage => ({ event: 'set_mixer', changes: { master_deck } })),
    deck.map((id): DeckMessage => ({ event: 'load_track', deck: id, track_id: null })),
  );
  const bpm = fc.option(fc.integer({ min: 60, max: 200 }));
  const step = fc.oneof(
    { weight: 8, arbitrary: message.map((one) => (session: DeckSessionState) => after(session, one)) },
    {
      weight: 2,
      arbitrary: fc.tuple(deck, bpm).map(
        ([id, tempo]) =>
          (session: DeckSessionState) =>
            load(session, id, tempo, id === 'a' ? ONE : TWO),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(ONE, TWO), bpm).map(
        ([id, tempo]) =>
          (session: DeckSessionState) =>
            applyTrackTempo(session, id, tempo, 0),
      ),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let session = createDeckSessionState();
      for (const take of steps) {
        session = take(session);
        const { decks, mixer } = session;
        assert.ok(!(decks.a.is_synced && decks.b.is_synced));
        if (mixer.is_master_synced) assert.deepEqual([decks.b.is_synced, mixer.master_deck], [true, 'a']);
        for (const id of ['a', 'b'] as const) {
          const { is_synced, tempo_percent, tempo_range } = decks[id];
          assert.ok(tempo_range === 50 || Math.abs(tempo_percent) <= tempo_range + 1e-9);
          if (!is_synced) continue;
          assert.equal(mixer.master_deck, otherDeck(id));
          const [own, led] = [playedBpm(decks[id]), playedBpm(decks[otherDeck(id)])];
          if (own === null || led === null || tempo_percent <= -50 || tempo_percent >= 100) continue;
          const octaves = Math.log2(own / led);
          assert.ok(Math.abs(octaves - Math.round(octaves)) < 1e-9, `${own} beside ${led}`);
        }
      }
    }),
    { numRuns: 300 },
  );
});
