import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { near } from '@stem-studio/renderer/testing/near';
import { DeckRig, TRACK } from '../testing/deck-rig.ts';

/** A deck that plays drums and vocals, `seconds` into its song. */
async function playing(t: Parameters<typeof DeckRig.open>[0], seconds: number): Promise<DeckRig> {
  const rig = await DeckRig.open(t);
  await rig.load('a', TRACK);
  await rig.loadStems('a');
  rig.decks.togglePlay('a');
  rig.pump(seconds);
  return rig;
}

const stateOf = (rig: DeckRig) => rig.decks.session.getState().decks.a;
const loopOf = (rig: DeckRig, type: StemType) =>
  stateOf(rig).stems.find(({ stem_type }) => stem_type === type)?.loop;
const begunOf = (rig: DeckRig) => rig.decks.local.getState().a.stemLoopIns;
/** The last loop of a stem that the engine got, in seconds. */
function sent(rig: DeckRig): readonly [source: number, start: number, end: number] | null {
  const command = rig.commands.findLast(({ type }) => type === 'source-loop');
  if (command?.type !== 'source-loop' || !command.loop) return null;
  const { startFrame, endFrame } = command.loop;
  return [command.source, startFrame / 44_100, endFrame / 44_100];
}

test('a stem is looped from in to out on the beats, while the deck and the other stems continue', async (t) => {
  const rig = await playing(t, 4.2);
  rig.decks.loopIn('a', 'drums');
  assert.deepEqual(begunOf(rig), { drums: 4.25 });
  assert.equal(rig.decks.local.getState().a.loopInSeconds, null);
  rig.pump(1);
  rig.decks.loopOut('a', 'drums');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 4_250, end_ms: 5_250, active: true });
  assert.deepEqual(begunOf(rig), {});
  assert.deepEqual([loopOf(rig, 'vocals'), stateOf(rig).loop], [null, null]);
  assert.deepEqual(sent(rig), [0, 4.25, 5.25]);
  rig.pump(3);
  near(rig.renderedSeconds('a'), 8.2, 0.01);
});

test('stems have loops of different lengths at the same time', async (t) => {
  const rig = await playing(t, 4.3);
  rig.decks.beatLoop('a', 2, 'drums');
  rig.decks.beatLoop('a', 8, 'vocals');
  rig.decks.halveLoop('a', 'drums');
  rig.decks.doubleLoop('a', 'vocals');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 4_250, end_ms: 4_750, active: true });
  assert.deepEqual(loopOf(rig, 'vocals'), { start_ms: 4_250, end_ms: 12_250, active: true });
  rig.decks.moveLoop('a', 4, 'drums');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 6_250, end_ms: 6_750, active: true });
});

test('a chosen length applies to the loop at once, whether it is active or not', async (t) => {
  const rig = await playing(t, 4.3);
  rig.decks.beatLoop('a', 4, 'drums');
  rig.decks.resizeLoop('a', 1 / 2, 'drums');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 4_250, end_ms: 4_500, active: true });
  rig.decks.toggleLoop('a', 'drums');
  rig.decks.resizeLoop('a', 16, 'drums');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 4_250, end_ms: 12_250, active: false });
  rig.decks.resizeLoop('a', 16, 'vocals');
  assert.equal(loopOf(rig, 'vocals'), null);
});

test('out, in a looping stem, is at the position of the stem and not of its deck', async (t) => {
  const rig = await playing(t, 4.3);
  rig.decks.beatLoop('a', 4, 'drums');
  // Three rounds and a beat later.
  rig.pump(6.5);
  rig.decks.loopOut('a', 'drums');
  assert.deepEqual(loopOf(rig, 'drums'), { start_ms: 4_250, end_ms: 4_750, active: true });
});

test('unloading the stems clears the start of a stem loop', async (t) => {
  const rig = await playing(t, 4.2);
  rig.decks.loopIn('a', 'drums');
  rig.decks.dispatch({ event: 'load_stems', deck: 'a', processing_job_id: null });
  assert.deepEqual(begunOf(rig), {});
});

test('the messages of a stem’s loop give the same session in every window', async (t) => {
  const rig = await playing(t, 4.3);
  let other = rig.decks.session.getState();
  rig.sent.length = 0;
  rig.decks.beatLoop('a', 2, 'drums');
  rig.decks.doubleLoop('a', 'drums');
  rig.decks.loopIn('a', 'vocals');
  rig.pump(1);
  rig.decks.loopOut('a', 'vocals');
  rig.decks.toggleLoop('a', 'drums');
  assert.deepEqual(
    rig.sent.map(({ event }) => event),
    ['set_loop', 'set_loop', 'set_loop', 'set_loop'],
  );
  for (const message of rig.sent) other = applyDeckMessage(other, message, rig.facts(null));
  assert.deepEqual(other.decks.a.stems, stateOf(rig).stems);
});
