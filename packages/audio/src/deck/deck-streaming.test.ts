import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { near } from '@stem-studio/renderer/testing/near';
import { DeckRig, SONG_SECONDS, TRACK } from '../testing/deck-rig.ts';

const RATE_HZ = 44_100;
const CHUNK_SECONDS = CHUNK_FRAMES / RATE_HZ;
const SONG_CHUNKS = chunkCount(SONG_SECONDS * RATE_HZ);
/** Chunks of both stems that the decks may keep: 15 s of the song of 40 s. */
const WINDOW = 10;
/** Two mono stems in 16 bits. */
const MEMORY_BYTES = WINDOW * 2 * CHUNK_FRAMES * 2;
const STEMS = 2;

/** A deck whose stems are longer than its memory, and what its engine has. */
async function openStreaming(t: Parameters<typeof DeckRig.open>[0]) {
  const rig = await DeckRig.open(t, true, MEMORY_BYTES);
  await rig.load('a', TRACK);
  await rig.loadStems('a');
  let read = 0;
  let load = 0;
  let resident = new Set<string>();
  let most = 0;
  /** Counts the chunks that the engine has by the commands that it received. */
  const update = () => {
    for (; read < rig.commands.length; read++) {
      const command = rig.commands[read];
      if (!command || !('deck' in command) || command.deck !== 'a') continue;
      if (command.type === 'load') {
        ({ load } = command);
        resident = new Set();
        most = 0;
      }
      if ((command.type !== 'chunk' && command.type !== 'drop') || command.load !== load) continue;
      const key = `${command.source}:${command.index}`;
      if (command.type === 'chunk') resident.add(key);
      else resident.delete(key);
      most = Math.max(most, resident.size);
    }
  };
  const has = (seconds: number) => {
    update();
    const chunk = Math.min(SONG_CHUNKS - 1, Math.max(0, Math.floor(seconds / CHUNK_SECONDS)));
    return [0, 1].every((source) => resident.has(`${source}:${chunk}`));
  };
  return {
    rig,
    has,
    /** Most chunks of a stem that the engine had at a time. */
    most: () => {
      update();
      return most / STEMS;
    },
    /** Waits until the deck has its audio at positions in seconds. */
    loaded: (...seconds: number[]) => rig.until(() => seconds.every(has)),
  };
}

test('plays a song longer than its memory from end to end without waiting', async (t) => {
  const { rig, loaded, most } = await openStreaming(t);
  assert.equal(rig.decks.local.getState().a.isStreaming, true);
  rig.decks.togglePlay('a');
  for (let seconds = 0; seconds < SONG_SECONDS - 0.5; seconds += 0.5) {
    await loaded(seconds, seconds + 2 * CHUNK_SECONDS);
    rig.pump(0.5);
    assert.equal(rig.deck('a').transport, 'playing', `at ${seconds} s`);
  }
  rig.pump(1);
  assert.equal(rig.deck('a').transport, 'ended');
  assert.ok(most() <= WINDOW, `kept ${most()} chunks`);
});

test('jumps to cue point, hot cues and the start of a loop at once, without the service', async (t) => {
  const { rig, loaded, has } = await openStreaming(t);
  const cue = { end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null };
  rig.decks.dispatch({ event: 'set_cue', deck: 'a', position_ms: 6_000 });
  rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot: 0, cue: { ...cue, position_ms: 36_000 } });
  rig.decks.togglePlay('a');
  rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 20_000 });
  await loaded(6, 7.4, 36, 37.4, 20, 24);
  rig.isOffline = true;
  for (const seconds of [36, 6, 36, 6]) {
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 1000 * seconds });
    rig.pump(0.5);
    await rig.flush();
    assert.equal(rig.deck('a').transport, 'playing', `at ${seconds} s`);
    near(rig.renderedSeconds('a'), seconds + 0.5, 0.02);
  }
  rig.isOffline = false;
  // A hot cue that is cleared is dropped with the rest, as the playhead moves on.
  rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot: 0, cue: null });
  rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 12_000 });
  await loaded(12, 18);
  await rig.until(() => !has(36));
  assert.ok(has(6), 'the cue point stays');
});

test('loads what is behind the playhead before it is scratched there', async (t) => {
  const { rig, loaded, most } = await openStreaming(t);
  rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 30_000 });
  await loaded(30, 34);
  for (let seconds = 30; seconds > 12; seconds -= 1) {
    rig.decks.scratch('a', -4);
    rig.pump(0.25);
    await loaded(seconds - 1, seconds - 1 - CHUNK_SECONDS);
  }
  rig.decks.scratch('a', null);
  assert.ok(rig.renderedSeconds('a') < 14, `at ${rig.renderedSeconds('a')} s`);
  assert.ok(most() <= WINDOW, `kept ${most()} chunks`);
});

test('keeps within its memory and plays on after any number of jumps', async (t) => {
  const { rig, loaded, most } = await openStreaming(t);
  rig.decks.togglePlay('a');
  for (let jump = 1; jump <= 60; jump++) {
    // Positions all over the song, in an order that never repeats.
    const seconds = (jump * 23.7) % (SONG_SECONDS - 2);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 1000 * seconds });
    if (jump % 3 !== 0) continue;
    await loaded(seconds, seconds + CHUNK_SECONDS);
    rig.pump(0.2);
    assert.equal(rig.deck('a').transport, 'playing', `jump ${jump} to ${seconds} s`);
    near(rig.renderedSeconds('a'), seconds + 0.2, 0.02);
  }
  assert.ok(most() <= WINDOW, `kept ${most()} chunks`);
});
