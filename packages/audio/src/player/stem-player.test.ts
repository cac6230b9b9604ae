import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { near } from '@stem-studio/renderer/testing/near';
import { kernelEngine, settle, wavOf } from '../testing/stem-player-rig.ts';
import { FileFetchError } from './fetch-range.ts';
import { StemPlayer } from './stem-player.ts';

const RATE_HZ = 44_100;
const six = ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'] as const satisfies readonly StemType[];

function openPlayer(
  files: Uint8Array<ArrayBuffer>[],
  gate: (from: number) => Promise<void> = async () => {},
  memoryBytes?: number,
  canOpen = true,
) {
  const kernel = kernelEngine();
  const asked: number[] = [];
  const player = new StemPlayer({
    stems: files.map((_, index) => ({ type: six[index] ?? 'other', address: String(index) })),
    fetchRange: async (address, from, to) => {
      asked.push(from);
      await gate(from);
      const file = files[Number(address)] ?? new Uint8Array(0);
      return { bytes: file.slice(from, to), totalBytes: file.length };
    },
    createEngine: () =>
      canOpen ? Promise.resolve(kernel.engine) : Promise.reject(new Error('the mixer could not be loaded')),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  });
  return { player, asked, ...kernel };
}

test('plays stems together, and soloing one mutes the other', async () => {
  const frames = 2 * CHUNK_FRAMES;
  const { player, pump } = openPlayer([wavOf(frames, 8_192), wavOf(frames, 4_096)]);
  await settle();
  assert.equal(player.state.getState().error, '');
  assert.equal(player.state.getState().status, 'ready');
  assert.equal(player.state.getState().durationSeconds, frames / RATE_HZ);
  assert.equal(player.state.getState().loadedRatio, 1);
  player.play();
  near(pump(4_096), 0.375, 1e-6);
  player.toggleSolo(1);
  near(pump(4_096), 0.125, 1e-6);
  assert.equal(player.level(1), 0.125);
  player.setVolume(1, 2);
  near(pump(4_096), 0.25, 1e-6);
  player.dispose();
});

test('plays six stems together, each with its own row in the given order', async () => {
  const frames = 2 * CHUNK_FRAMES;
  const { player, pump } = openPlayer(six.map((_, index) => wavOf(frames, 512 << index)));
  await settle();
  assert.equal(player.state.getState().status, 'ready');
  assert.deepEqual(
    player.state.getState().rows.map((row) => row.type),
    [...six],
  );
  player.play();
  near(pump(4_096), 63 / 64, 1e-6);
  for (const index of six.keys()) {
    player.toggleSolo(index);
    assert.ok(Math.abs(pump(4_096) - 2 ** index / 64) < 1e-6, six[index]);
    player.toggleSolo(index);
  }
  player.toggleMute(3);
  near(pump(4_096), 55 / 64, 1e-6);
  player.dispose();
});

test('starts before everything has arrived', async () => {
  const frames = 20 * CHUNK_FRAMES;
  const never = new Promise<void>(() => {});
  // Only the heads and the first two chunks of each stem ever arrive.
  const { player, pump } = openPlayer([wavOf(frames, 8_192), wavOf(frames, 8_192)], (from) =>
    from < 2 * CHUNK_FRAMES * 4 ? Promise.resolve() : never,
  );
  await settle();
  player.play();
  near(pump(CHUNK_FRAMES), 0.5, 1e-6);
  assert.equal(player.state.getState().transport, 'playing');
  pump(2 * CHUNK_FRAMES);
  assert.equal(player.state.getState().transport, 'buffering');
  player.dispose();
});

test('a seek to a missing chunk is fetched before anything else', async () => {
  const frames = 200 * CHUNK_FRAMES;
  let requests = 0;
  // Only the head of the file arrives.
  const { player, asked } = openPlayer([wavOf(frames, 1)], () =>
    requests++ === 0 ? Promise.resolve() : new Promise(() => {}),
  );
  await settle();
  const before = asked.length;
  player.seek((150.5 * CHUNK_FRAMES) / RATE_HZ);
  assert.equal(asked[before], 44 + 150 * CHUNK_FRAMES * 4);
  player.dispose();
});

test('play pressed before the stems are known is remembered', async () => {
  const { player, pump } = openPlayer([wavOf(CHUNK_FRAMES, 8_192)]);
  player.play();
  assert.equal(player.state.getState().transport, 'buffering');
  await settle();
  near(pump(4_096), 0.25, 1e-6);
  player.dispose();
});

test('reports a file that is no WAV', async () => {
  const { player } = openPlayer([new Uint8Array(100)]);
  await settle();
  assert.equal(player.state.getState().status, 'failed');
  assert.notEqual(player.state.getState().error, '');
  assert.equal(player.state.getState().stretchRefusal, player.state.getState().error);
  player.dispose();
});

test('a disposed player disposes its engine', async () => {
  const { player, isDisposed } = openPlayer([wavOf(CHUNK_FRAMES, 1)]);
  await settle();
  player.dispose();
  assert.equal(isDisposed(), true);
});

test('the waveform grows as stems arrive', async () => {
  const { player } = openPlayer([wavOf(CHUNK_FRAMES, 16_384)]);
  await settle();
  const peaks = player.peaks(0);
  assert.equal(peaks?.has(0), true);
  assert.equal(peaks?.max[0], 64);
  assert.equal(peaks?.min[0], 0);
  player.dispose();
});

test('a short break of the connection is not noticed, a long one is reported and can be retried', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let isBroken = true;
  // The head of the file always arrives.
  const gate = (from: number) =>
    from > 0 && isBroken
      ? Promise.reject(new FileFetchError('the connection broke', true))
      : Promise.resolve();
  const short = openPlayer([wavOf(4 * CHUNK_FRAMES, 8_192)], gate).player;
  await settle();
  assert.equal(short.state.getState().status, 'ready');
  assert.equal(short.state.getState().loadedRatio, 0);
  isBroken = false;
  t.mock.timers.tick(400);
  await settle();
  assert.equal(short.state.getState().loadedRatio, 1);
  short.dispose();

  isBroken = true;
  const long = openPlayer([wavOf(4 * CHUNK_FRAMES, 8_192)], gate).player;
  for (let wait = 0; wait < 5; wait++) {
    await settle();
    t.mock.timers.tick(5_000);
  }
  assert.equal(long.state.getState().status, 'failed');
  assert.match(long.state.getState().error, /connection broke/);
  isBroken = false;
  long.play();
  await settle();
  assert.equal(long.state.getState().loadedRatio, 1);
  long.dispose();
});

test('of a song too long for memory a window around the playhead is kept', async () => {
  const chunks = 60;
  const bytesPerChunk = CHUNK_FRAMES * 4;
  const { player, pump } = openPlayer([wavOf(chunks * CHUNK_FRAMES, 8_192)], undefined, 10 * bytesPerChunk);
  await settle();
  assert.equal(player.state.getState().loadedRatio, 10 / chunks);
  player.seek((50 * CHUNK_FRAMES) / RATE_HZ);
  await settle();
  player.play();
  near(pump(4_096), 0.25, 1e-6);
  assert.equal(player.state.getState().loadedRatio, 10 / chunks);
  player.seek(0);
  await settle();
  assert.ok(Math.abs(pump(4_096) - 0.25) < 1e-6, 'what was let go is fetched again');
  player.dispose();
});

test('at 80 % tempo a second of output is 0.8 s of the song, and a loop wraps in song time', async () => {
  const { player, pump } = openPlayer([wavOf(4 * CHUNK_FRAMES, 8_192)]);
  await settle();
  player.setTempo(80);
  player.play();
  pump(44_032);
  near(player.positionSeconds(), (0.8 * 44_032) / RATE_HZ, 1e-3);
  player.setLoop({ startSeconds: 0.5, endSeconds: 1.5 });
  const before = player.positionSeconds();
  // A round of one second of the song lasts 1.25 s.
  pump(55_125);
  near(player.positionSeconds(), before, 0.004);
  player.dispose();
});

test('tempo and key stay within their bounds, and the reason is reported where they cannot be changed', async () => {
  const { player } = openPlayer([wavOf(CHUNK_FRAMES, 8_192)]);
  await settle();
  player.setTempo(20);
  player.setKey(40);
  assert.equal(player.state.getState().tempoPercent, 50);
  assert.equal(player.state.getState().keySemitones, 12);
  player.dispose();
  const without = openPlayer([wavOf(CHUNK_FRAMES, 8_192)], undefined, undefined, false).player;
  await settle();
  without.setTempo(80);
  await settle();
  assert.match(without.state.getState().stretchRefusal, /could not be loaded/);
  assert.equal(without.state.getState().tempoPercent, 100);
  without.dispose();
});

test('pan and equaliser reach the output, and the metronome counts in on the beats of the grid', async () => {
  const frames = 4 * CHUNK_FRAMES;
  const { player, pump } = openPlayer([wavOf(frames, 8_192), wavOf(frames, 4_096)]);
  player.setPan(0, 3);
  player.setPan(1, -0.5);
  player.setEq(0, 'high', -40);
  player.setEq(0, 'mid', Number.NEGATIVE_INFINITY);
  await settle();
  const [first, second] = player.state.getState().rows;
  assert.deepEqual(
    [first?.pan, first?.eq, second?.pan],
    [1, { low: 0, mid: Number.NEGATIVE_INFINITY, high: -24 }, -0.5],
  );
  player.play();
  // The constant of the first stem is on the right only.
  near(pump(22_528), 0.125 * Math.SQRT2 * Math.cos(Math.PI / 8), 1e-4);
  player.pause();
  pump(1_024);
  player.setBeats({ beats: [0, 0.25, 0.5, 0.75, 1], downbeats: [0, 1] });
  player.setMetronome({ isOn: true, gain: 3 });
  player.setCountIn(7);
  assert.deepEqual(player.state.getState().metronome, { isOn: true, gain: 1 });
  assert.equal(player.state.getState().countInBars, 2);
  player.play();
  assert.equal(player.state.getState().transport, 'counting-in');
  pump(22_528);
  assert.equal(player.state.getState().transport, 'counting-in');
  assert.equal(player.positionSeconds(), 0);
  pump(88_192);
  assert.equal(player.state.getState().transport, 'playing');
  player.dispose();
});
