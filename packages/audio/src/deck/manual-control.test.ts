import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deckMessages } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { deckSession } from '@stem-studio/contract/resources/deck-session';
import { beatAt } from '@stem-studio/dsp/time/beat-position';
import * as fc from 'fast-check';
import { beatsOf, DeckRig, OTHER_TRACK, SONG_SECONDS, TRACK } from '../testing/deck-rig.ts';
import type { DeckController } from './deck-controller.ts';

type Act = (decks: DeckController, deck: DeckId) => void;

const beats = fc.constantFrom(1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64);
const jump = fc.constantFrom(-32, -4, -1, 1, 4, 32);
const slot = fc.integer({ min: 0, max: 3 });
const simple: readonly Act[] = [
  (decks, deck) => decks.togglePlay(deck),
  (decks, deck) => decks.pressCue(deck),
  (decks, deck) => decks.releaseCue(deck),
  (decks, deck) => decks.setCueHere(deck),
  (decks, deck) => decks.loopIn(deck),
  (decks, deck) => decks.loopOut(deck),
  (decks, deck) => decks.toggleLoop(deck),
  (decks, deck) => decks.halveLoop(deck),
  (decks, deck) => decks.doubleLoop(deck),
  (decks, deck) => decks.rollEnd(deck),
  (decks, deck) => decks.saveLoop(deck),
  (decks, deck) => decks.toggleSlip(deck),
  (decks, deck) => decks.sync(deck),
  (decks, deck) => decks.nudge(deck, 1.08),
  (decks, deck) => decks.nudge(deck, null),
  (decks, deck) => decks.scratch(deck, null),
];
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom(...simple),
  beats.map(
    (length): Act =>
      (decks, deck) =>
        decks.beatLoop(deck, length),
  ),
  beats.map(
    (length): Act =>
      (decks, deck) =>
        decks.rollStart(deck, length),
  ),
  jump.map(
    (by): Act =>
      (decks, deck) =>
        decks.beatJump(deck, by),
  ),
  jump.map(
    (by): Act =>
      (decks, deck) =>
        decks.moveLoop(deck, by),
  ),
  slot.map(
    (pad): Act =>
      (decks, deck) =>
        decks.pressHotCue(deck, pad),
  ),
  slot.map(
    (pad): Act =>
      (decks, deck) =>
        decks.releaseHotCue(deck, pad),
  ),
  slot.map(
    (pad): Act =>
      (decks, deck) =>
        decks.deleteHotCue(deck, pad),
  ),
  fc.double({ min: -60, max: 60, noNaN: true }).map(
    (percent): Act =>
      (decks, deck) =>
        decks.setTempo(deck, percent),
  ),
  fc.double({ min: -3, max: 3, noNaN: true }).map(
    (rate): Act =>
      (decks, deck) =>
        decks.scratch(deck, rate),
  ),
  fc.double({ min: 0, max: SONG_SECONDS * 1000, noNaN: true }).map(
    (position_ms): Act =>
      (decks, deck) =>
        decks.dispatch({ event: 'seek', deck, position_ms }),
  ),
  fc.boolean().map(
    (is_master_synced): Act =>
      (decks) =>
        decks.dispatch({ event: 'set_mixer', changes: { is_master_synced } }),
  ),
);
const step = fc.record({
  act: acts,
  deck: fc.constantFrom('a' as const, 'b' as const),
  restSeconds: fc.constantFrom(0, 0.003, 0.05, 0.4, 2),
});

/** Checks the invariants that hold after every command. */
function examine(rig: DeckRig): void {
  const state = rig.decks.session.getState();
  deckSession.parse({ id: TRACK, version: 0, ...state });
  for (const deck of ['a', 'b'] as const) {
    const seconds = rig.decks.positionSeconds(deck);
    assert.ok(seconds >= 0 && seconds <= SONG_SECONDS, `${deck} is at ${seconds}`);
    const { loop, track_id, is_quantized } = state.decks[deck];
    if (!loop || !is_quantized || track_id === null) continue;
    assert.ok(loop.start_ms >= 0 && loop.end_ms <= SONG_SECONDS * 1000);
    const grid = beatsOf(track_id);
    const length = beatAt(loop.end_ms / 1000, grid) - beatAt(loop.start_ms / 1000, grid);
    const thirtyTwoths = length * 32;
    assert.ok(Math.abs(thirtyTwoths - Math.round(thirtyTwoths)) < 1e-6, `a loop of ${length} beats`);
  }
}

it('keeps each position inside its song and each loop on its grid for any sequence of commands', async (t) => {
  const rig = await DeckRig.open(t);
  await rig.load('a', TRACK);
  await rig.load('b', OTHER_TRACK);
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      for (const { act, deck, restSeconds } of steps) {
        act(rig.decks, deck);
        rig.pump(restSeconds);
        examine(rig);
      }
      for (const { event, ...payload } of rig.sent.splice(0)) deckMessages[event].parse(payload);
    }),
    { numRuns: 40 },
  );
});

it('plays and shows the same position after manual control ends', async (t) => {
  const rig = await DeckRig.open(t);
  await rig.load('a', TRACK);
  await rig.load('b', OTHER_TRACK);
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 15 }), (steps) => {
      for (const { act, deck, restSeconds } of steps) {
        act(rig.decks, deck);
        rig.pump(restSeconds);
      }
      for (const deck of ['a', 'b'] as const) {
        rig.decks.scratch(deck, null);
        rig.decks.nudge(deck, null);
        rig.decks.rollEnd(deck);
        rig.decks.releaseCue(deck);
        for (const pad of [0, 1, 2, 3]) rig.decks.releaseHotCue(deck, pad);
        if (rig.decks.session.getState().decks[deck].is_playing) rig.decks.togglePlay(deck);
      }
      rig.pump(1);
      for (const deck of ['a', 'b'] as const) {
        const shown = rig.decks.session.getState().decks[deck].position_ms / 1000;
        const rendered = rig.renderedSeconds(deck);
        // The end of an active loop is its start: both name the sample that is played next.
        const { loop } = rig.decks.session.getState().decks[deck];
        const around = loop?.active ? (loop.end_ms - loop.start_ms) / 1000 : 0;
        const apart = Math.abs(shown - rendered);
        assert.ok(
          Math.min(apart, Math.abs(apart - around)) < 0.0015,
          `${deck} is at ${rendered} and shown at ${shown}`,
        );
        assert.equal(rig.decks.positionSeconds(deck), rendered);
      }
    }),
    { numRuns: 40 },
  );
});
