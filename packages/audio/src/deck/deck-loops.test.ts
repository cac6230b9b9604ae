import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatAt } from '@stem-studio/dsp/time/beat-position';
import { beatsOf, DeckRig, TRACK } from '../testing/deck-rig.ts';

function close(got: number, wanted: number, within = 0.02): void {
  assert.ok(Math.abs(got - wanted) <= within, `${got} must be ${wanted} within ${within}`);
}

async function playing(t: Parameters<typeof DeckRig.open>[0], seconds: number): Promise<DeckRig> {
  const rig = await DeckRig.open(t);
  await rig.load('a', TRACK);
  rig.decks.togglePlay('a');
  rig.pump(seconds);
  return rig;
}

const loopOf = (rig: DeckRig) => rig.decks.session.getState().decks.a.loop;

describe('loop', () => {
  it('repeats on the grid, to the sample, and ends with a second press', async (t) => {
    const rig = await playing(t, 6.3);
    rig.decks.beatLoop('a', 4);
    assert.deepEqual(loopOf(rig), { start_ms: 6_250, end_ms: 8_250, active: true });
    const before = rig.renderedSeconds('a');
    rig.pump(10);
    close(rig.renderedSeconds('a'), before + 10 - 5 * 2, 0.01);
    close(rig.decks.positionSeconds('a'), rig.renderedSeconds('a'), 0.05);
    rig.decks.beatLoop('a', 4);
    assert.equal(loopOf(rig)?.active, false);
    rig.pump(3);
    close(rig.renderedSeconds('a'), before + 3, 0.01);
  });

  it('is set from in to out, on the beats', async (t) => {
    const rig = await playing(t, 4.2);
    rig.decks.loopIn('a');
    close(rig.decks.local.getState().a.loopInSeconds ?? 0, 4.25, 1e-9);
    rig.pump(2);
    rig.decks.loopOut('a');
    assert.deepEqual(loopOf(rig), { start_ms: 4_250, end_ms: 6_250, active: true });
    assert.equal(rig.decks.local.getState().a.loopInSeconds, null);
  });

  it('continues in its first half, in phase, when halved during its second half', async (t) => {
    const rig = await playing(t, 6.3);
    rig.decks.beatLoop('a', 4);
    rig.pump(1.2);
    const phase = beatAt(rig.renderedSeconds('a'), beatsOf(TRACK)) % 1;
    rig.decks.halveLoop('a');
    const rendered = rig.renderedSeconds('a');
    assert.ok(rendered >= 6.25 && rendered < 7.25, `${rendered}`);
    close(beatAt(rendered, beatsOf(TRACK)) % 1, phase, 1e-3);
    rig.decks.doubleLoop('a');
    assert.deepEqual(loopOf(rig), { start_ms: 6_250, end_ms: 8_250, active: true });
  });

  it('of a beat fraction stays exact to the sample over 1,000 repeats', async (t) => {
    const rig = await playing(t, 6.25);
    rig.decks.beatLoop('a', 1 / 32);
    const { start_ms = 0, end_ms = 0 } = loopOf(rig) ?? {};
    close(end_ms - start_ms, 500 / 32, 1e-9);
    rig.pump(0.1);
    const before = rig.renderedSeconds('a');
    // A thousand rounds.
    const rounds = 1000 * (500 / 32 / 1000);
    rig.pump(rounds);
    const blocks = Math.ceil((rounds * 44_100) / 128) * 128;
    const length = (500 / 32 / 1000) * 44_100;
    const drift = (((rig.renderedSeconds('a') - before) * 44_100 - blocks) % length) / 44_100;
    const off = Math.min(Math.abs(drift), length / 44_100 - Math.abs(drift));
    assert.ok(off <= 1.01 / 44_100, `${off * 44_100} frames`);
  });

  it('moves by beats together with the playback position', async (t) => {
    const rig = await playing(t, 6.3);
    rig.decks.beatLoop('a', 4);
    rig.decks.moveLoop('a', 4);
    assert.deepEqual(loopOf(rig), { start_ms: 8_250, end_ms: 10_250, active: true });
    rig.pump(0.1);
    assert.ok(rig.renderedSeconds('a') >= 8.25 && rig.renderedSeconds('a') < 10.25);
  });

  it('is re-entered in phase from a position after its end', async (t) => {
    const rig = await playing(t, 4.3);
    rig.decks.beatLoop('a', 4);
    rig.decks.toggleLoop('a');
    rig.pump(6);
    const phase = beatAt(rig.renderedSeconds('a'), beatsOf(TRACK)) % 1;
    rig.decks.toggleLoop('a');
    close(beatAt(rig.renderedSeconds('a'), beatsOf(TRACK)) % 1, phase, 1e-3);
    assert.ok(rig.renderedSeconds('a') >= 4.25 && rig.renderedSeconds('a') < 6.25);
  });

  it('lets the song continue silently during a loop roll in slip mode', async (t) => {
    const rig = await playing(t, 6.3);
    const before = rig.renderedSeconds('a');
    rig.decks.rollStart('a', 1 / 2);
    rig.pump(3);
    assert.ok(rig.renderedSeconds('a') < 6.9);
    rig.decks.rollEnd('a');
    close(rig.renderedSeconds('a'), before + 3, 0.01);
    assert.equal(loopOf(rig), null);
    assert.equal(rig.deck('a').slipFrame, null);
    rig.pump(0.5);
    close(rig.decks.session.getState().decks.a.position_ms / 1000, before + 3, 0.05);
  });

  it('continues after a loop roll inside it where it would have been, in the engine and in the session', async (t) => {
    const rig = await playing(t, 4.25);
    rig.decks.beatLoop('a', 4);
    const outer = loopOf(rig);
    rig.pump(1.5);
    const before = rig.renderedSeconds('a');
    rig.decks.rollStart('a', 1 / 2);
    rig.pump(1);
    rig.decks.rollEnd('a');
    assert.deepEqual(loopOf(rig), outer);
    close(rig.renderedSeconds('a'), before + 1 - 2);
    close(rig.decks.session.getState().decks.a.position_ms / 1000, before + 1 - 2, 0.05);
    rig.pump(5);
    close(rig.renderedSeconds('a'), before + 6 - 3 * 2);
    assert.equal(rig.deck('a').slipFrame, null);
  });

  it('is restored after a loop roll on a deck in slip mode, at the rendered position', async (t) => {
    const rig = await playing(t, 10.3);
    rig.decks.toggleSlip('a');
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 4250 });
    rig.decks.beatLoop('a', 4);
    const outer = loopOf(rig);
    rig.pump(1.5);
    rig.decks.togglePlay('a');
    rig.pump(0.2);
    rig.decks.rollStart('a', 1 / 2);
    rig.pump(0.5);
    rig.decks.rollEnd('a');
    assert.deepEqual(loopOf(rig), outer);
    close(rig.decks.session.getState().decks.a.position_ms / 1000, rig.renderedSeconds('a'));
  });

  it('of one stem leaves the other stems unchanged', async (t) => {
    const rig = await playing(t, 2);
    await rig.loadStems('a');
    rig.decks.beatLoop('a', 2, 'drums');
    assert.equal(loopOf(rig), null);
    const [drums, vocals] = rig.decks.session.getState().decks.a.stems;
    assert.equal(drums?.loop?.active, true);
    close((drums?.loop?.end_ms ?? 0) - (drums?.loop?.start_ms ?? 0), 1000, 1e-6);
    assert.equal(vocals?.loop, null);
    rig.decks.halveLoop('a', 'drums');
    assert.deepEqual(rig.commands.at(-1), {
      type: 'source-loop',
      deck: 'a',
      source: 0,
      loop: {
        startFrame: ((drums?.loop?.start_ms ?? 0) / 1000) * 44_100,
        endFrame: ((drums?.loop?.start_ms ?? 0) / 1000 + 0.5) * 44_100,
      },
    });
    rig.decks.toggleLoop('a', 'drums');
    assert.equal(rig.decks.session.getState().decks.a.stems[0]?.loop?.active, false);
  });
});

describe('beat jump', () => {
  it('keeps the beat phase', async (t) => {
    const rig = await playing(t, 6.3);
    const rendered = rig.renderedSeconds('a');
    rig.decks.beatJump('a', 16);
    close(rig.renderedSeconds('a'), rendered + 8, 1e-3);
    rig.decks.beatJump('a', -32);
    rig.pump(0.1);
    assert.ok(rig.renderedSeconds('a') >= 0);
  });

  it('moves the active loop by the same beats', async (t) => {
    const rig = await playing(t, 6.3);
    rig.decks.beatLoop('a', 4);
    const rendered = rig.renderedSeconds('a');
    rig.decks.beatJump('a', 1);
    close(rig.renderedSeconds('a'), rendered + 0.5, 1e-3);
    assert.deepEqual(loopOf(rig), { start_ms: 6_750, end_ms: 8_750, active: true });
  });
});
