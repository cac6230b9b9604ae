import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import * as fc from 'fast-check';
import { tempoMessage } from './tempo-message.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';
type Letter = 'a' | 'b';

function loaded(bpmA: number | null, bpmB: number | null): DeckSessionState {
  const load = (session: DeckSessionState, deck: Letter, track_bpm: number | null) =>
    applyDeckMessage(
      session,
      { event: 'load_track', deck, track_id: TRACK },
      { now: 0, track: { track_bpm, duration_ms: 240_000, hot_cues: [] } },
    );
  return load(load(createDeckSessionState(), 'a', bpmA), 'b', bpmB);
}

const after = (session: DeckSessionState, ...messages: DeckMessage[]) =>
  messages.reduce((state, message) => applyDeckMessage(state, message, { now: 0 }), session);
const sync = (deck: Letter, is_synced = true): DeckMessage => ({
  event: 'set_deck',
  deck,
  changes: { is_synced },
});
const turned = (session: DeckSessionState, deck: Letter, percent: number) =>
  after(session, tempoMessage(session, deck, percent));
const stepped = (session: DeckSessionState, deck: Letter, by: number) =>
  turned(session, deck, session.decks[deck].tempo_percent + by);
const tempi = ({ decks }: DeckSessionState) => [decks.a, decks.b].map((deck) => playedBpm(deck)?.toFixed(3));

test('steps the tempo from the value that sync has set', () => {
  const synced = after(loaded(66.33, 90), { event: 'play', deck: 'a' }, sync('b'), sync('b', false));
  assert.deepEqual(tempi(synced), ['66.330', '66.330']);
  const up = stepped(synced, 'b', 0.1);
  assert.deepEqual(tempi(up), ['66.330', '66.420']);
  assert.deepEqual(tempi(stepped(up, 'b', -0.1)), ['66.330', '66.330']);
});

test("steps a tempo outside of the fader's range from its current value", () => {
  const session = loaded(100, 100);
  const { a } = session.decks;
  const outside = (tempo_percent: number): DeckSessionState => ({
    ...session,
    decks: { ...session.decks, a: { ...a, tempo_percent, tempo_range: 8 } },
  });
  assert.equal(stepped(outside(-26.3), 'a', 0.1).decks.a.tempo_percent.toFixed(6), '-26.200000');
  assert.equal(stepped(outside(-26.3), 'a', 0.1).decks.a.tempo_range, 50);
  assert.equal(stepped(outside(70), 'a', -0.1).decks.a.tempo_percent.toFixed(6), '69.900000');
  assert.equal(stepped(outside(70), 'a', 0.1).decks.a.tempo_percent.toFixed(6), '70.000000');
  assert.equal(turned(outside(12), 'a', 99).decks.a.tempo_percent.toFixed(6), '16.000000');
});

test('the tempo of a following deck changes the leader, and both stay in sync', () => {
  const synced = after(
    loaded(124, 128),
    { event: 'play', deck: 'a' },
    { event: 'play', deck: 'b' },
    sync('b'),
  );
  const up = stepped(synced, 'b', 0.1);
  assert.equal(up.decks.b.tempo_percent.toFixed(6), (synced.decks.b.tempo_percent + 0.1).toFixed(6));
  assert.equal(playedBpm(up.decks.a)?.toFixed(6), playedBpm(up.decks.b)?.toFixed(6));
  assert.ok((playedBpm(up.decks.a) ?? 0) > 124.1);
  const locked = after(loaded(124, 62), { event: 'set_mixer', changes: { is_master_synced: true } });
  assert.deepEqual(tempi(turned(locked, 'b', 5)), ['130.200', '65.100']);
});

test('keeps the tempo of a deck that is synced to an empty one', () => {
  const b = loaded(null, 120);
  const locked = after(b, { event: 'set_mixer', changes: { is_master_synced: true } });
  assert.equal(turned(locked, 'b', 5).decks.b.tempo_percent.toFixed(6), '5.000000');
});

test('never moves the tempo by more than one step, regardless of earlier sync', () => {
  const bpm = fc.integer({ min: 600, max: 2000 }).map((tenths) => tenths / 10);
  const letter = fc.constantFrom('a' as const, 'b' as const);
  const act = fc.oneof(
    fc.tuple(letter, fc.boolean()).map(
      ([deck, isOn]) =>
        (session: DeckSessionState) =>
          after(session, sync(deck, isOn)),
    ),
    letter.map((deck) => (session: DeckSessionState) => after(session, { event: 'toggle_play', deck })),
    fc.tuple(letter, fc.integer({ min: -16, max: 16 })).map(
      ([deck, percent]) =>
        (session: DeckSessionState) =>
          turned(session, deck, percent),
    ),
  );
  fc.assert(
    fc.property(
      bpm,
      bpm,
      fc.array(act, { maxLength: 12 }),
      letter,
      fc.constantFrom(-0.1, 0.1),
      (a, b, acts, deck, by) => {
        const session = acts.reduce((state, take) => take(state), loaded(a, b));
        const before = session.decks[deck].tempo_percent;
        const moved = stepped(session, deck, by).decks[deck].tempo_percent - before;
        const edge = Math.abs(before) >= session.decks[deck].tempo_range - 0.1;
        assert.ok(
          edge ? Math.abs(moved) <= 0.1 + 1e-9 : Math.abs(moved - by) < 1e-9,
          `${before} moved by ${moved}`,
        );
      },
    ),
    { numRuns: 400 },
  );
});
