import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { createDeckFixture, loadA, type OpenWindow } from './testing/deck-fixture.ts';

/** Simulates a killed tab: nothing is sent over its connection any more. */
function kill({ decks, link }: OpenWindow): void {
  decks.setAudioEnabled(false);
  decks.take(createDeckSessionState());
  link.dispose();
}

/** Opens a window that plays deck A for four seconds. */
async function openPlaying({ open, pass }: Pick<ReturnType<typeof createDeckFixture>, 'open' | 'pass'>) {
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  return one;
}

test('pauses the decks of a closing page and passes the audio on, and joins a playing session silently', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  const one = await open('window-one');
  assert.equal(one.decks.isSounding, true);
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  const two = await open('window-two');
  await pass(6000);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  one.link.releaseAudio();
  one.link.dispose();
  windows.close('window-one');
  await pass(100);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [false, null]);
  assert.equal(Math.round(decks.a.position_ms / 100), 114);
  const three = await open('window-three');
  assert.deepEqual([three.decks.isSounding, three.decks.state.decks.a.is_playing], [true, false]);
  two.link.claimAudio();
  await pass(100);
  assert.deepEqual([two.decks.isSounding, three.decks.isSounding], [true, false]);
});

test('pauses decks of a window that disappeared at their last reported position', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  const one = await openPlaying({ open, pass });
  const reportedMs = rules.record.state.decks.a.position_ms;
  assert.ok(reportedMs > 3000);
  kill(one);
  windows.close('window-one');
  rules.nowMs += 3_600_000;
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  await pass(100);
  assert.equal(rules.record.state.decks.a.position_ms, reportedMs);
});

test('returns the audio at once to a page that was reloaded without leaving', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  kill(await openPlaying({ open, pass }));
  windows.close('window-one');
  const two = await open('window-two');
  await pass(100);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [false, 'window-two']);
});

test('takes over the audio when a previous page that is still open has ended', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  kill(await openPlaying({ open, pass }));
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  windows.close('window-one');
  await pass(5000);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  assert.equal(rules.record.state.decks.a.is_playing, false);
});

test('takes over audio and positions from the final messages of the previous page', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  const one = await openPlaying({ open, pass });
  const two = await open('window-two');
  assert.equal(two.decks.isSounding, false);
  one.link.dispose();
  windows.close('window-one');
  await pass(100);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  const { decks, mixer } = rules.record.state;
  assert.equal(mixer.sound_client, 'window-two');
  assert.equal(Math.round(decks.a.position_ms / 100), 54);
});

test('leaves the audio to a page that is being reloaded, and takes it over if the page does not return', async (t) => {
  const { pass, open, windows } = createDeckFixture(t);
  const one = await openPlaying({ open, pass });
  const two = await open('window-two');
  kill(one);
  windows.close('window-one');
  await pass(500);
  const again = await open('window-one-again');
  await pass(5000);
  assert.deepEqual([two.decks.isSounding, again.decks.isSounding], [false, true]);
  kill(again);
  windows.close('window-one-again');
  await pass(5000);
  assert.equal(two.decks.isSounding, true);
});

test('plays audio in the window where playback starts if no window plays audio', async (t) => {
  const { rules, pass, open, windows } = createDeckFixture(t);
  const one = await openPlaying({ open, pass });
  const two = await open('window-two');
  await pass(6000);
  one.link.dispose();
  windows.close('window-one');
  await pass(5000);
  assert.deepEqual([two.decks.isSounding, rules.record.state.mixer.sound_client], [false, null]);
  two.decks.dispatch({ event: 'set_strip', deck: 'a', changes: { volume: 0.5 } });
  assert.equal(two.decks.isSounding, false);
  two.decks.dispatch({ event: 'toggle_play', deck: 'a' });
  assert.equal(two.decks.isSounding, true);
  await pass(100);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [true, 'window-two']);
});

test('leaves the audio to another browser while it reports positions or its decks are stopped', async (t) => {
  const { pass, open, windows } = createDeckFixture(t);
  const tablet = await open('window-of-a-tablet');
  tablet.decks.dispatch(loadA);
  await pass(100);
  windows.moveElsewhere('window-of-a-tablet');
  const one = await open('window-one');
  await pass(30_000);
  assert.equal(one.decks.isSounding, false);
  one.link.dispose();
  tablet.decks.dispatch({ event: 'play', deck: 'a', position_ms: 0 });
  await pass(100);
  const two = await open('window-two');
  await pass(30_000);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  const three = await open('window-three');
  kill(tablet);
  await pass(20_000);
  assert.deepEqual([three.decks.isSounding, three.decks.state.decks.a.is_playing], [true, false]);
});

test('reports the position of a recently paused deck when the page closes', async (t) => {
  const { rules, pass, open } = createDeckFixture(t);
  const one = await openPlaying({ open, pass });
  const two = await open('window-two');
  two.decks.dispatch({ event: 'pause', deck: 'a' });
  await pass(100);
  // The audible position differs from the one computed by the other window.
  one.decks.positionSeconds = () => 4.5;
  one.link.releaseAudio();
  await pass(100);
  const { a } = rules.record.state.decks;
  assert.deepEqual([a.is_playing, a.position_ms], [false, 4500]);
});

test('does not take over the audio from a playing window of another browser after a long disconnection', async (t) => {
  const { hub, pass, open, windows } = createDeckFixture(t);
  const tablet = await openPlaying({ open, pass });
  windows.moveElsewhere('window-one');
  const two = await open('window-two');
  hub.isUp = false;
  hub.cut();
  await pass(20_000);
  hub.isUp = true;
  await pass(15_000);
  assert.deepEqual([tablet.decks.isSounding, two.decks.isSounding], [true, false]);
  assert.equal(tablet.decks.state.decks.a.is_playing, true);
});

test('takes over the audio of a killed window of another browser within two seconds', async (t) => {
  const { rules, hub, pass, open, windows } = createDeckFixture(t);
  const tablet = await openPlaying({ open, pass });
  windows.moveElsewhere('window-one');
  const two = await open('window-two');
  kill(tablet);
  hub.noteClosedWindow();
  await pass(700);
  assert.equal(two.decks.isSounding, false, 'it may be a reload');
  await pass(1200);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  assert.deepEqual(
    [rules.record.state.mixer.sound_client, rules.record.state.mixer.audio_left_at],
    ['window-two', null],
  );
});

test('a window that is opened after another browser was killed has the audio within two seconds', async (t) => {
  const { rules, hub, pass, open, windows } = createDeckFixture(t);
  const tablet = await openPlaying({ open, pass });
  windows.moveElsewhere('window-one');
  kill(tablet);
  hub.noteClosedWindow();
  rules.nowMs += 1000;
  const two = await open('window-two');
  await pass(500);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
});

test('leaves the audio to a window whose connection was cut and that returns', async (t) => {
  const { rules, hub, pass, open, windows } = createDeckFixture(t);
  const tablet = await openPlaying({ open, pass });
  windows.moveElsewhere('window-one');
  const two = await open('window-two');
  hub.noteClosedWindow();
  await pass(5000);
  assert.deepEqual([tablet.decks.isSounding, two.decks.isSounding], [true, false]);
  assert.equal(rules.record.state.mixer.audio_left_at, null);
  // All connections are cut, as by a proxy that restarts: the first window back takes over nothing.
  hub.isUp = false;
  hub.noteClosedWindow();
  hub.cut();
  await pass(4000);
  hub.isUp = true;
  await pass(5000);
  assert.deepEqual([tablet.decks.isSounding, two.decks.isSounding], [true, false]);
  assert.equal(tablet.decks.state.decks.a.is_playing, true);
});
