import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DeckRig, OTHER_TRACK, TRACK } from '../testing/deck-rig.ts';

/** Songs before the first measurement, and between the two. */
const warmUpSongs = 4;
const measuredSongs = 12;

test('a set retains no memory per loaded song', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const rig = await DeckRig.open(t);
  const retained = async () => {
    // Buffers of finished requests are freed by callbacks after the collection.
    for (let pass = 0; pass < 3; pass++) {
      collect();
      await rig.flush();
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return { heapUsed, arrayBuffers };
  };
  const play = async (song: number) => {
    const deck = song % 2 === 0 ? 'a' : 'b';
    await rig.load(deck, song % 4 < 2 ? TRACK : OTHER_TRACK);
    rig.decks.togglePlay(deck);
    rig.pump(0.5);
    rig.decks.togglePlay(deck);
    // What the rig writes down for its tests is not part of a set.
    rig.sent.length = 0;
    rig.commands.length = 0;
  };
  for (let song = 0; song < warmUpSongs; song++) await play(song);
  const early = await retained();
  for (let song = 0; song < measuredSongs; song++) await play(song);
  const late = await retained();
  const bytesPerSong = {
    heap: (late.heapUsed - early.heapUsed) / measuredSongs,
    buffers: (late.arrayBuffers - early.arrayBuffers) / measuredSongs,
  };
  t.diagnostic(`retained per loaded song: ${JSON.stringify(bytesPerSong)} bytes`);
  // A song of 40 s has 7 MB of samples. Buffers of the network vary by a few of 64 kB.
  assert.ok(bytesPerSong.buffers < 100_000, JSON.stringify({ early, late }));
  assert.ok(bytesPerSong.heap < 100_000, JSON.stringify({ early, late }));
});
