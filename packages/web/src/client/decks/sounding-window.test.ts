import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeckRig, OTHER_TRACK, TRACK } from '@stem-studio/audio/testing/deck-rig';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { openDeckLink } from '../deck-link.ts';
import { createServiceClock } from './service-clock.ts';
import { DeckRules } from './testing/deck-rules.ts';
import { PretendWindows } from './testing/pretend-windows.ts';
import { PretendHub } from './testing/pretend-wire.ts';
import { SilentDecks } from './testing/silent-decks.ts';

const client = 'playing-window';

/** Opens a window that plays audio and a tablet that only controls it, linked to the same service. */
async function createFixture(t: TestContext) {
  const rig = await DeckRig.open(t);
  await rig.load('a', TRACK);
  await rig.load('b', OTHER_TRACK);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const rules = new DeckRules();
  rules.nowMs = rig.now;
  for (const message of [
    { event: 'set_mixer', changes: { sound_client: client } },
    { event: 'load_track', deck: 'a', track_id: TRACK },
    { event: 'load_track', deck: 'b', track_id: OTHER_TRACK },
  ] as const)
    rules.take(message);
  const hub = new PretendHub(rules);
  /** Advances time for connections, clocks and audio, and runs pending callbacks. */
  const pass = async (ms: number) => {
    const endMs = rules.nowMs + ms;
    while (rules.nowMs < endMs) {
      rig.pump(0.01);
      rules.nowMs = rig.now;
      t.mock.timers.tick(10);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const ownMs = () => rules.nowMs - 300_000;
  const clock = createServiceClock(ownMs);
  rig.windowNow = () => clock.now();
  const windows = new PretendWindows();
  windows.open(client);
  const wires = { ownMs, windows };
  const link = openDeckLink({ ...wires, decks: rig.decks, clock, client, socket: hub.socket() });
  const farClock = createServiceClock(ownMs);
  const tablet = new SilentDecks(() => farClock.now());
  const far = { decks: tablet, clock: farClock, client: 'window-of-a-tablet', socket: hub.socket() };
  const farLink = openDeckLink({ ...wires, ...far });
  t.after(() => {
    link.dispose();
    farLink.dispose();
  });
  await pass(300);
  assert.ok(rig.isOpen);
  rig.decks.togglePlay('a');
  await pass(200);
  const seeks = () => rig.commands.filter(({ type }) => type === 'seek').length;
  const audibleMs = () => rig.decks.positionSeconds('a') * 1000;
  return { rig, rules, hub, clock, tablet, pass, seeks, audibleMs };
}

const setVolume = (volume: number): DeckMessage => ({ event: 'set_strip', deck: 'a', changes: { volume } });
const near = (one: number, other: number, withinMs: number, what: string) =>
  assert.ok(Math.abs(one - other) <= withinMs, `${what}: ${one} ms, not ${other} ms`);

test('causes no jump in any window while a tempo waits to be sent and other messages are confirmed', async (t) => {
  const { rig, clock, tablet, pass, seeks, audibleMs } = await createFixture(t);
  await pass(1000);
  const before = seeks();
  rig.decks.setTempo('a', 4);
  await pass(100);
  rig.decks.setTempo('a', 6);
  // A position is reported and confirmed while the second tempo waits.
  await pass(4000);
  tablet.dispatch(setVolume(0.5));
  await pass(200);
  assert.equal(seeks(), before);
  const { a } = rig.decks.session.getState().decks;
  assert.equal(a.strip.volume, 0.5);
  near(a.position_ms + (clock.now() - a.position_at) * 1.06, audibleMs(), 100, 'the session has the deck at');
  await pass(4000);
  assert.equal(seeks(), before);
  near(tablet.positionSeconds('a') * 1000, audibleMs(), 100, 'the tablet shows the deck at');
});

test('does not move a deck by its own late position report', async (t) => {
  const { rig, hub, tablet, pass, seeks } = await createFixture(t);
  hub.extraUpMs = 400;
  await pass(5000);
  const before = seeks();
  tablet.dispatch(setVolume(0.25));
  await pass(1000);
  tablet.dispatch({ event: 'update_bpm', deck: 'a', bpm: 130 });
  await pass(1000);
  hub.cut();
  await pass(3000);
  const { a } = rig.decks.session.getState().decks;
  assert.equal(a.strip.volume, 0.25);
  assert.ok(a.tempo_percent > 0);
  assert.equal(seeks(), before);
});

test('neither moves a deck nor changes the clock when the service requests a new join', async (t) => {
  const { rig, rules, hub, clock, pass, seeks } = await createFixture(t);
  await pass(5000);
  const before = seeks();
  const { version } = rules.record;
  hub.endJoins();
  await pass(3000);
  near(clock.now(), rules.nowMs, 15, 'the clock says');
  assert.ok(rules.record.version > version, 'reports are sent again');
  assert.equal(rig.decks.session.getState().decks.a.is_playing, true);
  assert.equal(seeks(), before);
});

test('does not set the clock by a slow reply after it was set', () => {
  const own = { ms: 10_000 };
  const clock = createServiceClock(() => own.ms);
  clock.set(50_000, 0, 10_000);
  near(clock.now(), 50_250, 0, 'the clock says');
  clock.set(50_010, 9980, 10_000);
  near(clock.now(), 50_020, 0, 'the clock says');
  clock.set(50_000, 0, 10_000);
  near(clock.now(), 50_020, 0, 'the clock says');
});

test('jumps twice when another window triggers a hot cue twice', async (t) => {
  const { tablet, pass, seeks, audibleMs } = await createFixture(t);
  await pass(3000);
  for (const times of [1, 2]) {
    const before = seeks();
    tablet.dispatch({ event: 'trigger_cue', deck: 'a', slot: 0 });
    await pass(400);
    assert.equal(seeks(), before + 1, `pressed ${times} times`);
    near(audibleMs(), 4350, 80, 'the deck is audible at');
  }
});

test('follows a small jump of another window', async (t) => {
  const { rig, tablet, pass, seeks } = await createFixture(t);
  await pass(3000);
  for (const jumpMs of [125, -125]) {
    const before = seeks();
    tablet.dispatch({ event: 'seek', deck: 'a', position_ms: tablet.positionSeconds('a') * 1000 + jumpMs });
    await pass(200);
    assert.equal(seeks(), before + 1);
  }
  rig.decks.togglePlay('a');
  await pass(1500);
  const before = seeks();
  tablet.dispatch({ event: 'seek', deck: 'a', position_ms: tablet.positionSeconds('a') * 1000 + 20 });
  await pass(200);
  assert.equal(seeks(), before + 1);
});

test('follows a jump of another window that crosses a position report', async (t) => {
  const { hub, tablet, pass, seeks, audibleMs } = await createFixture(t);
  hub.extraUpMs = 600;
  for (let crossing = 0; crossing < 6; crossing++) {
    const before = seeks();
    tablet.dispatch({ event: 'seek', deck: 'a', position_ms: 30_000 });
    await pass(1500);
    assert.equal(seeks(), before + 1);
    assert.ok(audibleMs() > 30_000);
    tablet.dispatch({ event: 'seek', deck: 'a', position_ms: 10_000 });
    await pass(1600);
  }
  hub.extraUpMs = 0;
  await pass(4500);
  near(tablet.positionSeconds('a') * 1000, audibleMs(), 100, 'the tablet shows the deck at');
});

test('does not move a deck when another window changes its tempo, key or loop', async (t) => {
  const { tablet, pass, seeks, audibleMs } = await createFixture(t);
  await pass(3000);
  const before = seeks();
  tablet.dispatch({ event: 'update_bpm', deck: 'a', bpm: 140 });
  tablet.dispatch({ event: 'set_deck', deck: 'a', changes: { key_semitones: 2 } });
  const loop = { start_ms: audibleMs() - 500, end_ms: audibleMs() + 2000, active: true };
  tablet.dispatch({ event: 'set_loop', deck: 'a', loop });
  await pass(5000);
  tablet.dispatch({ event: 'pause', deck: 'a' });
  await pass(100);
  tablet.dispatch({ event: 'play', deck: 'a' });
  await pass(1000);
  assert.equal(seeks(), before);
});

test('shows the exact position of a stopped deck in all windows even right after a position report', async (t) => {
  const { rig, hub, tablet, pass, seeks, audibleMs } = await createFixture(t);
  const isReported = () => hub.received.at(-1)?.event === 'report_position';
  for (let step = 0; step < 300 && !isReported(); step++) await pass(10);
  assert.ok(isReported());
  const before = seeks();
  tablet.dispatch({ event: 'pause', deck: 'a' });
  await pass(500);
  assert.equal(tablet.state.decks.a.is_playing, false);
  near(tablet.state.decks.a.position_ms, audibleMs(), 1, 'the tablet shows the deck at');
  near(rig.renderedSeconds('a') * 1000, audibleMs(), 1, 'the DJ engine has the deck at');
  tablet.dispatch(setVolume(0.5));
  await pass(500);
  assert.equal(seeks(), before);
});
