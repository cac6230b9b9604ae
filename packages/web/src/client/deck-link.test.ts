import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { type DeckLink, type DeckLinkStatus, openDeckLink } from './deck-link.ts';
import { createServiceClock } from './decks/service-clock.ts';
import { DeckRules, tracks } from './decks/testing/deck-rules.ts';
import { PretendHub } from './decks/testing/pretend-wire.ts';
import { SilentDecks } from './decks/testing/silent-decks.ts';

interface OpenWindow {
  readonly decks: SilentDecks;
  readonly link: DeckLink;
  readonly statuses: DeckLinkStatus[];
  readonly refusals: string[];
}

function openHouse(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const rules = new DeckRules();
  const hub = new PretendHub(rules);
  const openNames = new Set<string>();
  const links: DeckLink[] = [];
  t.after(() => {
    for (const link of links) link.dispose();
  });
  /** Lets time pass; what is promised meanwhile is kept. */
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 10) {
      rules.nowMs += 10;
      t.mock.timers.tick(10);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const open = async (client: string): Promise<OpenWindow> => {
    // This machine's clock is some minutes behind the service's.
    const ownMs = () => rules.nowMs - 300_000;
    const clock = createServiceClock(ownMs);
    const decks = new SilentDecks(() => clock.now());
    const statuses: DeckLinkStatus[] = [];
    const refusals: string[] = [];
    openNames.add(client);
    const link = openDeckLink({
      decks,
      clock,
      ownMs,
      client,
      socket: hub.socket(),
      isWindowOpen: (name) => Promise.resolve(openNames.has(name)),
      onStatus: (status) => void statuses.push(status),
      onRefused: (reason) => void refusals.push(reason),
    });
    links.push(link);
    await pass(300);
    return { decks, link, statuses, refusals };
  };
  return { rules, hub, pass, open, openNames };
}

const loadA: DeckMessage = { event: 'load_track', deck: 'a', track_id: tracks[0] };

test('what is done in one window is shown there at once, and soon in the others', async (t) => {
  const { rules, pass, open } = openHouse(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  assert.equal(one.decks.state.decks.a.track_id, tracks[0]);
  await pass(100);
  // What only the service knew has come back with its answer.
  for (const { decks } of [one, two]) assert.equal(decks.state.decks.a.track_bpm, 126);
  two.decks.dispatch({ event: 'toggle_play', deck: 'a' });
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 0.5 } });
  await pass(100);
  for (const { decks } of [one, two]) {
    assert.equal(decks.state.decks.a.is_playing, true);
    assert.equal(decks.state.mixer.crossfader, 0.5);
  }
  assert.equal(rules.record.version, 4);
  assert.deepEqual([one.statuses, two.statuses], [['joined'], ['joined']]);
});

test('a tempo is told at once, the last of those that follow when five seconds are over', async (t) => {
  const { rules, hub, pass, open } = openHouse(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  for (let bpm = 127; bpm <= 136; bpm++) {
    one.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm });
    await pass(300);
  }
  const told = () => hub.received.flatMap((message) => (message.event === 'update_bpm' ? [message.bpm] : []));
  assert.deepEqual(told(), [127]);
  assert.equal(one.decks.state.decks.a.tempo_percent.toFixed(3), (100 * (136 / 126 - 1)).toFixed(3));
  await pass(2500);
  assert.deepEqual(told(), [127, 136]);
  // Another window's tempo counts too: it is told when to come again, and does.
  two.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm: 140 });
  await pass(5500);
  assert.deepEqual(told(), [127, 136, 140, 140]);
  assert.equal(rules.record.state.decks.a.tempo_percent.toFixed(3), (100 * (140 / 126 - 1)).toFixed(3));
  assert.deepEqual(one.decks.state.decks.a.tempo_percent, two.decks.state.decks.a.tempo_percent);
});

test('controls that turn without a break are told as often as a socket may, and their last values always', async (t) => {
  const { rules, hub, pass, open } = openHouse(t);
  const { decks } = await open('window-one');
  hub.received.length = 0;
  for (let step = 1; step <= 1000; step++) {
    decks.dispatch({ event: 'set_mixer', changes: { crossfader: Math.sin(step) } });
    decks.dispatch({ event: 'set_strip', deck: 'a', changes: { volume: step / 1000 } });
    if (step % 100 === 0)
      decks.dispatch({ event: 'set_strip', deck: 'b', changes: { kill_low: step % 200 === 0 } });
    await pass(10);
  }
  assert.ok(
    hub.received.length > 100 && hub.received.length < socketLimits.messages - 10,
    `${hub.received.length}`,
  );
  await pass(500);
  const { decks: kept, mixer } = rules.record.state;
  assert.deepEqual([mixer.crossfader, kept.a.strip.volume, kept.b.strip.kill_low], [Math.sin(1000), 1, true]);
});

test('what was done while the wire was cut is told once when it is back', async (t) => {
  const { rules, hub, pass, open } = openHouse(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  // One is on its way when the wire is cut, and its answer is lost.
  one.decks.dispatch({ event: 'toggle_play', deck: 'a', position_ms: 0 });
  await pass(30);
  hub.isUp = false;
  hub.cut();
  await pass(500);
  assert.deepEqual([one.statuses.at(-1), one.link.sessionId() !== null], ['lost', true]);
  one.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 5000 });
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: -1 } });
  two.decks.dispatch({ event: 'set_strip', deck: 'a', changes: { eq_low: -1 } });
  await pass(500);
  hub.isUp = true;
  await pass(800);
  assert.deepEqual([one.statuses.at(-1), two.statuses.at(-1)], ['joined', 'joined']);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.crossfader, decks.a.strip.eq_low], [true, -1, -1]);
  assert.equal(hub.received.filter(({ event }) => event === 'toggle_play').length, 1);
  for (const window of [one, two]) assert.deepEqual(window.decks.state.mixer, mixer);
  assert.deepEqual(one.decks.state.decks.b, two.decks.state.decks.b);
});

test('a version that does not come is fetched by joining again', async (t) => {
  const { hub, pass, open } = openHouse(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  hub.losesPushes = true;
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  await pass(100);
  hub.losesPushes = false;
  one.decks.dispatch({ event: 'set_mixer', changes: { master_volume: 0.5 } });
  await pass(100);
  assert.equal(two.decks.state.mixer.crossfader, 0);
  await pass(1500);
  assert.deepEqual([two.decks.state.mixer.crossfader, two.decks.state.mixer.master_volume], [1, 0.5]);
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 0.25 } });
  await pass(100);
  assert.equal(two.decks.state.mixer.crossfader, 0.25);
});

test('a page that goes leaves its decks paused and the sound to the next; one that joins while it plays only shows', async (t) => {
  const { rules, pass, open, openNames } = openHouse(t);
  const one = await open('window-one');
  assert.equal(one.decks.isSounding, true);
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  one.link.leaveSound();
  one.link.dispose();
  openNames.delete('window-one');
  await pass(100);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [false, null]);
  assert.equal(Math.round(decks.a.position_ms / 100), 54);
  const three = await open('window-three');
  assert.deepEqual([three.decks.isSounding, three.decks.state.decks.a.is_playing], [true, false]);
  two.link.takeSound();
  await pass(100);
  assert.deepEqual([two.decks.isSounding, three.decks.isSounding], [true, false]);
});

test('what played in a window that is gone without a word is paused where it was last heard', async (t) => {
  const { rules, pass, open, openNames } = openHouse(t);
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  const said = rules.record.state.decks.a.position_ms;
  assert.ok(said > 3000);
  // The tab is killed: nothing goes over its wire any more.
  one.decks.setSounding(false);
  one.decks.take(createDeckSessionState());
  one.link.dispose();
  openNames.delete('window-one');
  rules.nowMs += 3_600_000;
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  await pass(100);
  assert.equal(rules.record.state.decks.a.position_ms, said);
});

test('what the service refuses never happened, and is said', async (t) => {
  const { pass, open } = openHouse(t);
  const { decks, refusals } = await open('window-one');
  decks.dispatch({ event: 'load_track', deck: 'a', track_id: '0198c0de-0000-7000-8000-0000000000ff' });
  await pass(100);
  assert.equal(decks.state.decks.a.track_id, null);
  assert.deepEqual(refusals, ['track not found']);
});

test('the end of the login is told', async (t) => {
  const { hub, pass, open } = openHouse(t);
  const { decks, statuses } = await open('window-one');
  hub.isUp = false;
  hub.cut(closeCodes.loginEnded);
  await pass(300);
  assert.equal(statuses.at(-1), 'ended');
  decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  assert.equal(decks.state.mixer.crossfader, 1);
});
