import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { beatAt } from '@stem-studio/dsp/time/beat-position';
import { beatsOf, DeckRig, OTHER_TRACK, TRACK } from '../testing/deck-rig.ts';

const tracks: Readonly<Record<DeckId, string>> = { a: TRACK, b: OTHER_TRACK };

async function openMix(t: Parameters<typeof DeckRig.open>[0]): Promise<DeckRig> {
  const rig = await DeckRig.open(t);
  for (const deck of ['a', 'b'] as const) {
    await rig.load(deck, tracks[deck]);
    rig.decks.togglePlay(deck);
  }
  rig.pump(2);
  return rig;
}

const beatOf = (rig: DeckRig, deck: DeckId) => beatAt(rig.renderedSeconds(deck), beatsOf(tracks[deck]));

/** Tempo in bpm at which both decks are rendered, over a second. */
function madeTempi(rig: DeckRig): string[] {
  const before = [beatOf(rig, 'a'), beatOf(rig, 'b')];
  const from = rig.now;
  rig.pump(1);
  const minutes = (rig.now - from) / 60_000;
  return (['a', 'b'] as const).map((deck, i) => ((beatOf(rig, deck) - before[i]!) / minutes).toFixed(1));
}

it('makes the deck whose sync is pressed follow the other in tempo and beat, even if it was the leader', async (t) => {
  const rig = await openMix(t);
  assert.deepEqual(madeTempi(rig), ['120.0', '125.0']);
  rig.decks.sync('a');
  assert.deepEqual(madeTempi(rig), ['125.0', '125.0']);
  const apart = beatOf(rig, 'a') - beatOf(rig, 'b');
  assert.ok(Math.abs(apart - Math.round(apart)) < 0.002, `${apart} beats apart`);
  rig.decks.sync('b');
  const { decks, mixer } = rig.decks.session.getState();
  assert.deepEqual([decks.a.is_synced, decks.b.is_synced, mixer.master_deck], [false, true, 'a']);
  rig.decks.setTempo('a', 5);
  assert.deepEqual(madeTempi(rig), ['126.0', '126.0']);
});

it('keeps a following deck at its tempo as the new leader when the leader stops', async (t) => {
  const rig = await openMix(t);
  rig.decks.sync('b');
  assert.deepEqual(madeTempi(rig), ['120.0', '120.0']);
  rig.decks.togglePlay('a');
  assert.deepEqual(madeTempi(rig), ['0.0', '120.0']);
  rig.decks.setTempo('a', 8);
  rig.decks.togglePlay('a');
  assert.deepEqual(madeTempi(rig), ['129.6', '120.0']);
  const { decks, mixer } = rig.decks.session.getState();
  assert.deepEqual([decks.b.is_synced, mixer.master_deck], [false, 'b']);
});

it('changes the tempo of both decks from either deck while one follows', async (t) => {
  const rig = await openMix(t);
  rig.decks.sync('b');
  rig.decks.setTempo('b', 0);
  assert.deepEqual(madeTempi(rig), ['125.0', '125.0']);
  assert.deepEqual(rig.sent.at(-1), { event: 'update_bpm', deck: 'a', bpm: 125 });
});
