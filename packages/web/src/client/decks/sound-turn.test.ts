import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { loadA, type OpenWindow, openDeckHouse } from './testing/deck-house.ts';

/** The tab is killed: nothing goes over its wire any more. */
function kill({ decks, link }: OpenWindow): void {
  decks.setAudioEnabled(false);
  decks.take(createDeckSessionState());
  link.dispose();
}

/** A window that plays deck A for four seconds. */
async function openPlaying({ open, pass }: Pick<ReturnType<typeof openDeckHouse>, 'open' | 'pass'>) {
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  return one;
}

test('a page that goes leaves its decks paused and the sound to the next; one that joins while it plays only shows', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
  const one = await open('window-one');
  assert.equal(one.decks.isSounding, true);
  one.decks.dispatch(loadA);
  await pass(100);
  one.decks.dispatch({ event: 'play', deck: 'a', position_ms: 1000 });
  await pass(4100);
  const two = await open('window-two');
  await pass(6000);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  one.link.leaveSound();
  one.link.dispose();
  windows.close('window-one');
  await pass(100);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [false, null]);
  assert.equal(Math.round(decks.a.position_ms / 100), 114);
  const three = await open('window-three');
  assert.deepEqual([three.decks.isSounding, three.decks.state.decks.a.is_playing], [true, false]);
  two.link.takeSound();
  await pass(100);
  assert.deepEqual([two.decks.isSounding, three.decks.isSounding], [true, false]);
});

test('what played in a window that is gone without a word is paused where it was last heard', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
  const one = await openPlaying({ open, pass });
  const said = rules.record.state.decks.a.position_ms;
  assert.ok(said > 3000);
  kill(one);
  windows.close('window-one');
  rules.nowMs += 3_600_000;
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  await pass(100);
  assert.equal(rules.record.state.decks.a.position_ms, said);
});

test('a page that was reloaded without a word takes its sound back at once', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
  kill(await openPlaying({ open, pass }));
  windows.close('window-one');
  const two = await open('window-two');
  await pass(100);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.sound_client], [false, 'window-two']);
});

test('a page that comes before the last one has ended waits for that, and takes the sound then', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
  kill(await openPlaying({ open, pass }));
  const two = await open('window-two');
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [false, true]);
  windows.close('window-one');
  await pass(5000);
  assert.deepEqual([two.decks.isSounding, two.decks.state.decks.a.is_playing], [true, false]);
  assert.equal(rules.record.state.decks.a.is_playing, false);
});

test('a page that comes before the last words of the one before takes the sound with them, and the places', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
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

test('a window that only shows leaves the sound to the page that is reloaded, and takes it from one that does not return', async (t) => {
  const { pass, open, windows } = openDeckHouse(t);
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

test('what is played where no window sounds sounds where it is played', async (t) => {
  const { rules, pass, open, windows } = openDeckHouse(t);
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

test('a window of another browser keeps the sound while it says where its decks are, and while they stand', async (t) => {
  const { pass, open, windows } = openDeckHouse(t);
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

test('a page that goes says where a deck stands that was paused a moment ago', async (t) => {
  const { rules, pass, open } = openDeckHouse(t);
  const one = await openPlaying({ open, pass });
  const two = await open('window-two');
  two.decks.dispatch({ event: 'pause', deck: 'a' });
  await pass(100);
  // It is heard elsewhere than the other window reckoned.
  one.decks.positionSeconds = () => 4.5;
  one.link.leaveSound();
  await pass(100);
  const { a } = rules.record.state.decks;
  assert.deepEqual([a.is_playing, a.position_ms], [false, 4500]);
});

test('after a long break the first window that is back takes no sound from one of another browser that plays on', async (t) => {
  const { hub, pass, open, windows } = openDeckHouse(t);
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
