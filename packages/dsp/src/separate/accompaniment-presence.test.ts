import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, knownParts } from '../testing/known-parts.ts';
import { estimateAccompanimentMasks } from './accompaniment-masks.ts';
import { type AccompanimentPresence, accompanimentLogOdds } from './accompaniment-presence.ts';
import { createBufferPool } from './buffer-pool.ts';
import type { StereoAudio } from './four-stems.ts';
import { createSpectrogramTransform, writeMagnitude } from './stereo-spectrogram.ts';

const { drums, bass, other } = knownParts(12);
async function presenceIn({ left, right }: StereoAudio): Promise<AccompanimentPresence> {
  const transform = await createSpectrogramTransform();
  const pool = createBufferPool();
  const spectrogram = transform.analyse(left, right, pool);
  const magnitude = pool.acquire(spectrogram.leftRe.length);
  writeMagnitude(spectrogram, magnitude);
  return accompanimentLogOdds(
    magnitude,
    estimateAccompanimentMasks(magnitude, pool, () => {}),
  );
}

test('drums and bass are likely where they play, drums unlikely and a bass less likely where they do not', async (context) => {
  const all = await presenceIn(add(drums, bass, other));
  const withoutDrums = await presenceIn(add(bass, other));
  const withoutBass = await presenceIn(add(drums, other));
  const neither = await presenceIn(other);
  context.diagnostic(JSON.stringify({ all, withoutDrums, withoutBass, neither }));
  assert.ok(all.drums > 0 && all.bass > 0);
  assert.ok(withoutDrums.drums < 0 && withoutDrums.bass > 0);
  assert.ok(neither.drums < 0 && withoutBass.drums > 0);
  // Low chords and bass drums may count as a bass.
  for (const { bass: odds } of [withoutBass, neither]) assert.ok(odds < all.bass - 4);
});

test('the decision does not depend on the level', async () => {
  const mix = add(drums, bass, other);
  const quiet = { left: mix.left.map((x) => 0.01 * x), right: mix.right.map((x) => 0.01 * x) };
  const [loud, faint] = [await presenceIn(mix), await presenceIn(quiet)];
  assert.ok(Math.abs(loud.drums - faint.drums) < 0.01 && Math.abs(loud.bass - faint.bass) < 0.01);
});

test('silence has finite odds', async () => {
  const silence = { left: new Float32Array(44_100), right: new Float32Array(44_100) };
  const found = await presenceIn(silence);
  assert.ok(Number.isFinite(found.drums) && Number.isFinite(found.bass));
});
