import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { loadA, openDeckHouse as openHouse } from './decks/testing/deck-house.ts';
import { tracks } from './decks/testing/deck-rules.ts';

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

test('what was done while the wire stalled is all told when it is back, a tempo among it too', async (t) => {
  const { rules, hub, pass, open } = openHouse(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  hub.isStalled = true;
  const joins = hub.joins;
  for (const message of [
    { event: 'set_strip', deck: 'a', changes: { kill_low: true } },
    { event: 'update_bpm', deck: 'a', bpm: 130 },
    { event: 'set_deck', deck: 'a', changes: { is_quantized: false } },
    { event: 'set_mixer', changes: { crossfader: 0.5 } },
    { event: 'set_deck', deck: 'a', changes: { is_slipping: true } },
    { event: 'set_cue', deck: 'a', position_ms: 2000 },
  ] as const) {
    one.decks.dispatch(message);
    await pass(300);
  }
  await pass(6000);
  assert.equal(one.statuses.at(-1), 'lost');
  await pass(12_000);
  hub.isStalled = false;
  await pass(25_000);
  assert.equal(one.statuses.at(-1), 'joined');
  const { decks, mixer } = rules.record.state;
  const { a } = decks;
  assert.deepEqual(
    [a.strip.kill_low, a.is_quantized, mixer.crossfader, a.is_slipping, a.cue_ms],
    [true, false, 0.5, true, 2000],
  );
  assert.equal(a.tempo_percent.toFixed(3), (100 * (130 / 126 - 1)).toFixed(3));
  for (const window of [one, two]) assert.deepEqual(window.decks.state, rules.record.state);
  assert.ok(hub.joins <= joins + 4, `${hub.joins - joins} joins`);
});

test('a tempo of the song before is not told of the one that was loaded while the wire stalled', async (t) => {
  const { rules, hub, pass, open } = openHouse(t);
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  await pass(100);
  hub.isStalled = true;
  one.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm: 130 });
  await pass(100);
  one.decks.dispatch({ event: 'load_track', deck: 'a', track_id: tracks[1] });
  await pass(12_000);
  hub.isStalled = false;
  await pass(25_000);
  const { a } = rules.record.state.decks;
  assert.deepEqual([a.track_id, a.tempo_percent], [tracks[1], 0]);
  assert.deepEqual(one.decks.state, rules.record.state);
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
  // Its token is of no other login: it is asked for no more.
  hub.isUp = true;
  const asked = hub.addresses.length;
  await pass(1000);
  assert.deepEqual([hub.addresses.length, statuses.at(-1)], [asked, 'ended']);
  decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  assert.equal(decks.state.mixer.crossfader, 1);
});
