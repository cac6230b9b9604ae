import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_FRAMES } from '../sources/chunk.ts';
import { StemMixer } from './stem-mixer.ts';

const RATE_HZ = 44_100;
const FRAMES = 4 * RATE_HZ;
const SWITCH_FRAMES = Math.floor(0.02 * RATE_HZ);

type Stem = (frame: number) => number;

const tone =
  (hz: number, level: number, phase = 0): Stem =>
  (n) =>
    level * Math.sin((2 * Math.PI * hz * n) / RATE_HZ + phase);

/** Two separations of one song: the second has the bass elsewhere, of other level and phase. */
const first: readonly Stem[] = [tone(440, 0.2), tone(55, 0.3)];
const second: readonly Stem[] = [
  (n) => tone(440, 0.1)(n) + tone(55, 0.1, 1)(n),
  tone(880, 0.05),
  tone(55, 0.1),
];
const sumOf =
  (stems: readonly Stem[]): Stem =>
  (n) =>
    stems.reduce((sum, stem) => sum + Math.fround(stem(n)), 0);

function load(mixer: StemMixer, group: number, stems: readonly Stem[]): void {
  for (const [stem, at] of stems.entries()) {
    for (let index = 0; index * CHUNK_FRAMES < FRAMES; index++) {
      const samples = Float32Array.from({ length: CHUNK_FRAMES }, (_, i) => at(index * CHUNK_FRAMES + i));
      mixer.apply({ type: 'chunk', group, stem, index, samples });
    }
  }
}

const shapes = (stems: readonly Stem[]) => stems.map(() => ({ frames: FRAMES, channels: 1 }));
const unity = (stems: readonly Stem[]) => stems.map(() => 1);

/** Creates a mixer that plays `one` as group 0 and has `other` opened as group 1, loaded or not. */
function compare(one: readonly Stem[], other: readonly Stem[], isLoaded = true): StemMixer {
  const mixer = new StemMixer(RATE_HZ);
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: shapes(one) });
  mixer.apply({ type: 'open', group: 1, stems: shapes(other) });
  load(mixer, 0, one);
  if (isLoaded) load(mixer, 1, other);
  return mixer;
}

const select = (mixer: StemMixer, group: number) =>
  mixer.apply({ type: 'select', group, gains: unity(group === 0 ? first : second) });

/** Renders `frames` samples of the left channel, a multiple of 128. */
function render(mixer: StemMixer, frames: number): Float32Array {
  const out = new Float32Array(frames);
  for (let at = 0; at < frames; at += 128)
    mixer.process(out.subarray(at, at + 128), new Float32Array(128), 128);
  return out;
}

const largestStep = (samples: ArrayLike<number>, from = 1): number => {
  let largest = 0;
  for (let n = from; n < samples.length; n++)
    largest = Math.max(largest, Math.abs((samples[n] ?? 0) - (samples[n - 1] ?? 0)));
  return largest;
};
const stepOf = (stems: readonly Stem[]): number =>
  largestStep(Float64Array.from({ length: RATE_HZ }, (_, n) => sumOf(stems)(n)));
const materialStep = Math.max(stepOf(first), stepOf(second));

test('switches to another separation at the same sample, without a step beyond those of the material', () => {
  const mixer = compare(first, second);
  mixer.apply({ type: 'play', id: 1 });
  const before = 344 * 128;
  const head = render(mixer, before);
  select(mixer, 1);
  const tail = render(mixer, before);
  assert.equal(mixer.group, 1);
  const out = Float32Array.of(...head, ...tail);
  const song = (stems: readonly Stem[], n: number) => Math.fround(sumOf(stems)(n));
  for (let n = 1_000; n < before; n += 7)
    assert.ok(Math.abs((out[n + mixer.delayFrames] ?? 0) - song(first, n)) < 1e-6, `sample ${n}`);
  for (let n = before + SWITCH_FRAMES; n < 2 * before - mixer.delayFrames; n += 7)
    assert.ok(Math.abs((out[n + mixer.delayFrames] ?? 0) - song(second, n)) < 1e-6, `sample ${n}`);
  const step = largestStep(out, 1_000);
  assert.ok(step <= materialStep * 1.001, `step ${step}, of the material ${materialStep}`);
});

test('both separations have gains that add up to 1 while they crossfade', () => {
  const mixer = compare(first, first);
  mixer.apply({ type: 'play', id: 1 });
  const out = [...render(mixer, 12_800)];
  mixer.apply({ type: 'select', group: 1, gains: unity(first) });
  out.push(...render(mixer, 12_800));
  assert.equal(mixer.group, 1);
  for (let n = 1_000; n < 25_000; n++)
    assert.ok(Math.abs((out[n + mixer.delayFrames] ?? 0) - sumOf(first)(n)) < 1e-6, `sample ${n}`);
});

test('any rhythm of switching stays without a click and keeps the position', () => {
  const mixer = compare(first, second);
  mixer.apply({ type: 'play', id: 1 });
  const out = [...render(mixer, 12_800)];
  let frames = 12_800;
  for (let round = 0; round < 60; round++) {
    select(mixer, (round + 1) % 2);
    const length = 128 * (1 + ((round * 7) % 13));
    out.push(...render(mixer, length));
    frames += length;
    assert.equal(mixer.position, frames);
  }
  const step = largestStep(out, 1_000);
  assert.ok(step <= materialStep * 1.5, `step ${step}, of the material ${materialStep}`);
});

test('with another tempo and key the switch keeps the position and does not click', () => {
  const mixer = compare(first, second);
  mixer.apply({ type: 'tempo', rate: 0.9, semitones: 2, isKeyLocked: true });
  mixer.apply({ type: 'play', id: 1 });
  const out = [...render(mixer, 38_400)];
  const atSwitch = mixer.position;
  select(mixer, 1);
  out.push(...render(mixer, 38_400));
  assert.equal(mixer.group, 1);
  assert.ok(Math.abs(mixer.position - atSwitch - 0.9 * 38_400) < 1e-3, String(mixer.position));
  const steady = Math.max(largestStep(out.slice(0, 38_000), 10_000), largestStep(out, 50_000));
  const step = largestStep(out.slice(0, 45_000), 10_000);
  assert.ok(step <= steady * 1.1, `step ${step}, without a switch ${steady}`);
});

test('plays on until the other separation is loaded, and switches then', () => {
  const mixer = compare(first, second, false);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 6_400);
  select(mixer, 1);
  const out = render(mixer, 6_400);
  assert.deepEqual([mixer.group, mixer.transport, mixer.position], [0, 'playing', 12_800]);
  assert.ok(Math.abs((out[6_000] ?? 0) - sumOf(first)(12_400 - mixer.delayFrames)) < 1e-6);
  load(mixer, 1, second);
  render(mixer, 128);
  assert.deepEqual([mixer.group, mixer.transport, mixer.position], [1, 'playing', 12_928]);
});

test('keeps the loop, and the faders given with the switch apply', () => {
  const mixer = compare(first, second);
  mixer.apply({ type: 'loop', loop: { startFrame: 10_000, endFrame: 20_000 } });
  mixer.apply({ type: 'seek', frame: 15_000, id: 1 });
  mixer.apply({ type: 'play', id: 2 });
  render(mixer, 1_280);
  mixer.apply({ type: 'select', group: 1, gains: [0, 0, 1] });
  render(mixer, 1_280);
  const out = render(mixer, 12_800);
  assert.equal(mixer.position, 15_000 + 15_360 - 2 * 10_000);
  const at = 15_000 + 2_560 + 1_000;
  assert.ok(Math.abs((out[1_000 + mixer.delayFrames] ?? 0) - (second[2]?.(at) ?? 0)) < 1e-6);
});

test('a discarded separation is forgotten, except the one that plays', () => {
  const mixer = compare(first, second);
  mixer.apply({ type: 'discard', group: 1 });
  mixer.apply({ type: 'discard', group: 0 });
  mixer.apply({ type: 'play', id: 1 });
  select(mixer, 1);
  render(mixer, 1_280);
  assert.deepEqual([mixer.group, mixer.transport, mixer.position], [0, 'playing', 1_280]);
});
