import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInOrder } from '../in-order.ts';
import { createSeam, cutSegments, type Segment } from '../segments.ts';
import type { Stereo } from '../stereo.ts';
import { openSpectralSeparator } from './open-spectral-separator.ts';
import { createSpectralBackend } from './spectral.ts';

const rate = 44_100;

/** A bass that changes its note, hits of noise and a trembling tone in the middle, with a wide chord. */
function makeSong(seconds: number): Stereo {
  const length = seconds * rate;
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  let state = 7;
  let phase = 0;
  for (let i = 0; i < length; i++) {
    const t = i / rate;
    state = (state * 48_271) % 2_147_483_647;
    const hit = 0.5 * ((state / 2_147_483_647) * 2 - 1) * Math.exp(-(t % 0.5) / 0.06);
    const bass = 0.25 * Math.sin(2 * Math.PI * ([55, 65.41, 82.41][Math.floor(t) % 3] as number) * t);
    phase +=
      (2 * Math.PI * 300 * 2 ** (Math.sin(1.4 * t) / 3) * (1 + 0.02 * Math.sin(2 * Math.PI * 6 * t))) / rate;
    const voice = 0.15 * (Math.sin(phase) + Math.sin(2 * phase) / 2 + Math.sin(3 * phase) / 3);
    const chord = 0.06 * Math.sin(2 * Math.PI * 587.3 * t);
    left[i] = hit + bass + voice + chord;
    right[i] = hit + bass + voice - chord;
  }
  return { left, right };
}

async function* once(song: Stereo): AsyncGenerator<Stereo> {
  yield song;
}

test('the stems of a segmented song differ from those of the whole song by 10 dB less than each stem', async () => {
  const song = makeSong(26);
  const backend = createSpectralBackend('hybrid_4', 1);
  const names = ['vocals', 'drums', 'bass'] as const;
  const seams = names.map(() => createSeam(backend.plan));
  const joined = names.map(() => new Float32Array(song.left.length));
  let at = 0;
  let segments = 0;
  const work = async (segment: Segment) => ({
    isLast: segment.isLast,
    stems: await backend.separate(segment, () => {}),
  });
  for await (const { isLast, stems } of mapInOrder(cutSegments(once(song), backend.plan), 2, work)) {
    const parts = names.map(
      (name, i) => seams[i]?.push(stems[name]?.left as Float32Array, isLast) as Float32Array,
    );
    for (const [i, part] of parts.entries()) joined[i]?.set(part, at);
    at += parts[0]?.length ?? 0;
    segments++;
  }
  await backend.close();
  assert.equal(segments, 2);
  assert.equal(at, song.left.length);
  const separateWhole = await openSpectralSeparator('hybrid_4');
  const whole = separateWhole(song.left, song.right, () => {}).stems;
  for (const [i, name] of names.entries()) {
    let signal = 0;
    let difference = 0;
    for (const [n, value] of (whole[name] as Stereo).left.entries()) {
      signal += value ** 2;
      difference += (value - (joined[i]?.[n] as number)) ** 2;
    }
    const ratioDb = 10 * Math.log10(signal / difference);
    assert.ok(ratioDb > 10, `${name}: ${ratioDb} dB`);
  }
});

test('a closed backend rejects unfinished segments', async () => {
  const backend = createSpectralBackend('hybrid_4', 1);
  const silence = (): Segment => {
    const sides = { left: new Float32Array(rate), right: new Float32Array(rate) };
    return { index: 0, isLast: true, from: 0, frames: rate, ...sides };
  };
  const pending = Promise.allSettled([
    backend.separate(silence(), () => {}),
    backend.separate(silence(), () => {}),
  ]);
  await backend.close();
  for (const outcome of await pending) assert.equal(outcome.status, 'rejected');
});
