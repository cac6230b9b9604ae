import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeckRig, TRACK } from '../testing/deck-rig.ts';

const blank = { end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null };

/** A deck paused at 1 s, with its cue at 2.25 s and its hot cues at 8.25 and 20.25 s. */
async function standing(t: Parameters<typeof DeckRig.open>[0], isSounding = true): Promise<DeckRig> {
  const rig = await DeckRig.open(t, isSounding);
  await rig.load('a', TRACK);
  for (const [slot, position_ms] of [8_250, 20_250].entries())
    rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot, cue: { ...blank, position_ms } });
  rig.decks.dispatch({ event: 'set_cue', deck: 'a', position_ms: 2_250 });
  rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 1_000 });
  rig.pump(0.1);
  rig.sent.length = 0;
  return rig;
}

const stateOf = (rig: DeckRig) => rig.decks.session.getState().decks.a;
const previewOf = (rig: DeckRig) => rig.decks.local.getState().a.preview;

function standsAt(rig: DeckRig, seconds: number): void {
  rig.pump(0.2);
  assert.equal(rig.deck('a').transport, 'paused');
  assert.equal(stateOf(rig).is_playing, false);
  assert.equal(stateOf(rig).position_ms, seconds * 1000);
  assert.ok(Math.abs(rig.renderedSeconds('a') - seconds) < 1e-4, `rendered at ${rig.renderedSeconds('a')}`);
}

function playsAt(rig: DeckRig, seconds: number): void {
  assert.equal(rig.deck('a').transport, 'playing');
  assert.ok(Math.abs(rig.renderedSeconds('a') - seconds) < 0.01, `rendered at ${rig.renderedSeconds('a')}`);
}

test('a hot cue of a paused deck plays while it is held, and then the deck is paused at its position', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(1);
  playsAt(rig, 9.25);
  assert.deepEqual(previewOf(rig), { button: 0, position_ms: 8_250 });
  rig.decks.releaseHotCue('a', 0);
  assert.equal(previewOf(rig), null);
  standsAt(rig, 8.25);
  const sent = rig.sent.map(({ event, ...payload }) => [
    event,
    'position_ms' in payload ? payload.position_ms : null,
  ]);
  assert.deepEqual(sent, [
    ['trigger_cue', null],
    ['play', 8_250],
    ['pause', 8_250],
  ]);
  assert.equal(stateOf(rig).cue_ms, 2_250);
});

test('a tap on a hot cue leaves a deck exactly at its position', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(0.06);
  rig.decks.releaseHotCue('a', 0);
  standsAt(rig, 8.25);
  rig.decks.pressHotCue('a', 1);
  rig.decks.releaseHotCue('a', 1);
  standsAt(rig, 20.25);
});

test('Play during the preview lets a deck continue when the hot cue is released', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(0.5);
  rig.decks.togglePlay('a');
  rig.decks.releaseHotCue('a', 0);
  rig.pump(0.5);
  playsAt(rig, 9.25);
  assert.equal(rig.sent.at(-1)?.event, 'play');
});

test('plays the last of two held hot cues, and only its release ends the preview', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(0.5);
  rig.decks.pressHotCue('a', 1);
  rig.decks.releaseHotCue('a', 0);
  rig.pump(0.5);
  playsAt(rig, 20.75);
  rig.decks.releaseHotCue('a', 1);
  standsAt(rig, 20.25);
});

test('CUE ends the preview of a hot cue at the cue', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(0.5);
  rig.decks.pressCue('a');
  standsAt(rig, 2.25);
  rig.decks.releaseHotCue('a', 0);
  rig.decks.releaseCue('a');
  standsAt(rig, 2.25);
});

test('a hot cue takes over from the preview of the cue', async (t) => {
  const rig = await standing(t);
  rig.decks.dispatch({ event: 'jump_to_cue', deck: 'a' });
  rig.pump(0.1);
  rig.decks.pressCue('a');
  rig.pump(0.5);
  rig.decks.pressHotCue('a', 0);
  rig.decks.releaseCue('a');
  rig.pump(0.5);
  playsAt(rig, 8.75);
  rig.decks.releaseHotCue('a', 0);
  standsAt(rig, 8.25);
});

test('on a playing deck a hot cue jumps, and the music continues on release', async (t) => {
  const rig = await standing(t);
  rig.decks.togglePlay('a');
  rig.pump(1);
  rig.decks.pressHotCue('a', 0);
  assert.equal(previewOf(rig), null);
  rig.pump(0.5);
  rig.decks.releaseHotCue('a', 0);
  rig.pump(0.5);
  assert.equal(rig.deck('a').transport, 'playing');
  assert.ok(Math.abs(rig.renderedSeconds('a') - 9.25) < 0.3, `rendered at ${rig.renderedSeconds('a')}`);
});

test('an empty hot cue is set at the position of a paused deck, which stays paused', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 5);
  rig.pump(0.3);
  rig.decks.releaseHotCue('a', 5);
  assert.equal(stateOf(rig).hot_cues.find(({ slot }) => slot === 5)?.position_ms, 1_250);
  assert.deepEqual(
    rig.sent.map(({ event }) => event),
    ['set_hot_cue'],
  );
});

test('a saved loop repeats while it is held, and is active when the deck is paused at its start', async (t) => {
  const rig = await standing(t);
  const cue = { ...blank, position_ms: 10_250, end_ms: 11_250 };
  rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot: 3, cue });
  rig.decks.pressHotCue('a', 3);
  rig.pump(2.5);
  playsAt(rig, 10.75);
  rig.decks.releaseHotCue('a', 3);
  standsAt(rig, 10.25);
  assert.deepEqual(stateOf(rig).loop, { start_ms: 10_250, end_ms: 11_250, active: true });
});

test('a deck that another window stopped during the preview stays where it was stopped', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(1);
  rig.remote({ event: 'pause', deck: 'a', position_ms: 9_200 });
  rig.remote({ event: 'seek', deck: 'a', position_ms: 30_000 });
  rig.pump(0.2);
  rig.decks.releaseHotCue('a', 0);
  standsAt(rig, 30);
});

test('unloading the song ends its preview', async (t) => {
  const rig = await standing(t);
  rig.decks.pressHotCue('a', 0);
  rig.pump(0.2);
  rig.remote({ event: 'load_track', deck: 'a', track_id: null });
  rig.sent.length = 0;
  rig.decks.releaseHotCue('a', 0);
  assert.deepEqual(rig.sent, []);
});

test('a window without audio previews in the one with audio, which stops exactly at the position', async (t) => {
  const [sounding, silent] = [await standing(t), await standing(t, false)];
  const carry = () => {
    for (const message of silent.sent.splice(0)) sounding.remote(message, new Set(['a']));
  };
  silent.decks.pressHotCue('a', 0);
  carry();
  sounding.pump(0.1);
  playsAt(sounding, 8.35);
  silent.pump(0.1);
  silent.decks.releaseHotCue('a', 0);
  carry();
  standsAt(sounding, 8.25);
});
