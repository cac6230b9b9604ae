import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { near } from '@stem-studio/renderer/testing/near';
import { kernelEngine, settle, wavOf } from '../testing/stem-player-rig.ts';
import { FileFetchError } from './fetch-range.ts';
import { StemPlayer } from './stem-player.ts';

const FRAMES = 2 * CHUNK_FRAMES;
const RATE_HZ = 44_100;

/** Separations of one song: their stems have constant samples, as fractions of full scale. */
const separations = {
  four: { vocals: 0.25, drums: 0.125 },
  fine: { vocals: 0.5, drums: 0.0625 },
  six: { vocals: 0.125, drums: 0.125, guitar: 0.25 },
  short: { vocals: 0.375, drums: 0.125 },
} as const;
type Id = keyof typeof separations;

const sourceOf = (id: Id) => ({
  id,
  stems: Object.keys(separations[id]).map((type) => ({
    type: type as 'vocals' | 'drums' | 'guitar',
    address: `${id}/${type}`,
  })),
});

/** Opens a player of `four`; `broken` addresses answer 404, and `gate` delays every reply. */
async function openPlayer({
  gate = () => Promise.resolve(),
  broken = () => false,
}: {
  gate?: (address: string) => Promise<void>;
  broken?: (address: string) => boolean;
} = {}) {
  const kernel = kernelEngine();
  const asked: string[] = [];
  const player = new StemPlayer({
    separation: 'four',
    stems: sourceOf('four').stems,
    async fetchRange(address, from, to) {
      asked.push(address);
      await gate(address);
      if (broken(address)) throw new FileFetchError('the file is gone', false);
      const [id, type] = address.split('/') as [Id, never];
      const frames = id === 'short' ? CHUNK_FRAMES : FRAMES;
      const file = wavOf(frames, separations[id][type] * 32_768);
      return { bytes: file.slice(from, to), totalBytes: file.length };
    },
    createEngine: () => Promise.resolve(kernel.engine),
  });
  await settle();
  return { player, asked, ...kernel };
}

test('shows another separation at the same position, loaded only when it is first selected', async () => {
  const { player, pump, asked } = await openPlayer();
  assert.equal(player.state.getState().separation, 'four');
  player.play();
  near(pump(8_192), 0.375, 1e-6);
  assert.ok(asked.every((address) => address.startsWith('four/')));
  player.show(sourceOf('fine'));
  assert.equal(player.state.getState().pendingSeparation, 'fine');
  await settle();
  near(pump(8_192), 0.5625, 1e-6);
  const { separation, pendingSeparation, loadedRatio, transport } = player.state.getState();
  assert.deepEqual([separation, pendingSeparation, loadedRatio, transport], ['fine', null, 1, 'playing']);
  near(player.positionSeconds(), 16_384 / RATE_HZ, 0.01);
  const fetched = asked.length;
  player.show(sourceOf('four'));
  near(pump(8_192), 0.375, 1e-6);
  assert.equal(player.state.getState().separation, 'four');
  assert.equal(asked.length, fetched);
  player.dispose();
});

test('keeps faders, mute and solo by stem, also of stems that only one separation has', async () => {
  const { player, pump } = await openPlayer();
  player.play();
  player.toggleSolo(0);
  player.setVolume(0, 0.5);
  near(pump(8_192), 0.125, 1e-6);
  player.show(sourceOf('six'));
  await settle();
  near(pump(8_192), 0.0625, 1e-6);
  const { rows } = player.state.getState();
  assert.deepEqual(
    rows.map(({ type, volume, isSoloed }) => [type, volume, isSoloed]),
    [
      ['vocals', 0.5, true],
      ['drums', 1, false],
      ['guitar', 1, false],
    ],
  );
  player.toggleMute(2);
  player.show(sourceOf('four'));
  pump(4_096);
  player.show(sourceOf('six'));
  pump(4_096);
  assert.equal(player.state.getState().rows[2]?.isMuted, true);
  player.dispose();
});

test('switches at once while paused, and selecting the present one cancels a pending switch', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { player, pump } = await openPlayer({
    gate: (address) => (address.startsWith('fine') ? held : Promise.resolve()),
  });
  player.seek(0.5);
  player.show(sourceOf('six'));
  await settle();
  assert.equal(player.state.getState().separation, 'six');
  near(player.positionSeconds(), 0.5, 1e-9);
  player.play();
  player.show(sourceOf('fine'));
  player.show(sourceOf('six'));
  release();
  await settle();
  near(pump(8_192), 0.5, 1e-6);
  assert.deepEqual(
    [player.state.getState().separation, player.state.getState().pendingSeparation],
    ['six', null],
  );
  player.dispose();
});

test('plays on where another separation cannot be loaded, and says why', async () => {
  const { player, pump } = await openPlayer({ broken: (address) => address.startsWith('fine') });
  player.play();
  pump(4_096);
  player.show(sourceOf('fine'));
  await settle();
  near(pump(4_096), 0.375, 1e-6);
  const { separation, pendingSeparation, separationError, status, transport } = player.state.getState();
  assert.deepEqual([separation, pendingSeparation, status, transport], ['four', null, 'ready', 'playing']);
  assert.match(separationError, /the file is gone/);
  player.show(sourceOf('six'));
  await settle();
  pump(4_096);
  assert.deepEqual(
    [player.state.getState().separation, player.state.getState().separationError],
    ['six', ''],
  );
  player.dispose();
});

test('a shorter preview is silent after its end, and the song keeps its length', async () => {
  const { player, pump } = await openPlayer();
  const { durationSeconds } = player.state.getState();
  player.show(sourceOf('short'));
  await settle();
  player.play();
  near(pump(8_192), 0.5, 1e-6);
  player.seek((CHUNK_FRAMES + 8_192) / RATE_HZ);
  near(pump(8_192), 0, 1e-6);
  assert.equal(player.state.getState().durationSeconds, durationSeconds);
  player.show(sourceOf('four'));
  near(pump(8_192), 0.375, 1e-6);
  player.dispose();
});
