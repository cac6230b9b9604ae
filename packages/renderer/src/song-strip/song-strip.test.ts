import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '../testing/near.ts';
import { levelDb, mixerOf, render, tone } from '../testing/stem-mixer-rig.ts';
import { SongStrip } from './song-strip.ts';

const RATE_HZ = 44_100;

/** Plays a function of the frame through a strip, with a setting before each part of 22,016 frames. */
function play(sampleAt: (frame: number) => number, settings: readonly Parameters<SongStrip['set']>[0][]) {
  const strip = new SongStrip(RATE_HZ);
  const parts: [Float32Array, Float32Array][] = [];
  for (const [part, setting] of settings.entries()) {
    strip.set(setting);
    const left = Float32Array.from({ length: 172 * 128 }, (_, n) => sampleAt(part * 172 * 128 + n));
    const right = left.slice();
    for (let at = 0; at < left.length; at += 128)
      strip.process(left.subarray(at, at + 128), right.subarray(at, at + 128), 128);
    parts.push([left, right]);
  }
  return { strip, parts };
}

const neutral = { pan: 0, low: 1, mid: 1, high: 1 };

test('a strip at rest passes samples unchanged', () => {
  const song = (n: number) => Math.fround(0.5 * Math.sin(n * 0.05));
  const { strip, parts } = play(song, [neutral]);
  const [left] = parts[0] ?? [new Float32Array(0)];
  for (let n = 200; n < 20_000; n += 7) assert.equal(left[n], song(n - strip.delayFrames));
});

test('a song has the same pan and equaliser as its stems', () => {
  const setting = { pan: -0.4, low: 0, mid: 0.5, high: 3.9 };
  const song = (n: number) => tone(60, 0.1)(n) + tone(782, 0.1)(n) + tone(9_000, 0.05)(n);
  const { parts } = play(song, [setting, setting]);
  const mixer = mixerOf(100_000, song);
  mixer.apply({ type: 'gains', gains: [1], tones: [setting] });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 172 * 128);
  const stem = render(mixer, 172 * 128);
  for (const side of [0, 1] as const)
    for (const hz of [782, 9_000])
      near(levelDb(parts[1]?.[side] ?? new Float32Array(0), hz), levelDb(stem[side], hz), 0.01);
});

test('a change does not click: a 100 Hz tone stays below −80 dB from 5 kHz on', () => {
  const { parts } = play(tone(100, 0.4), [
    neutral,
    { ...neutral, low: 0 },
    { ...neutral, low: 2 },
    { ...neutral, pan: -1 },
    { ...neutral, pan: 1 },
  ]);
  const left = Float32Array.from(parts.flatMap(([samples]) => [...samples]));
  let highest = -200;
  for (let from = 4_096; from + 2_048 < left.length; from += 512)
    for (const hz of [5_000, 12_000])
      highest = Math.max(highest, levelDb(left.subarray(from, from + 2_048), hz));
  assert.ok(highest < -80, `${highest} dB`);
});
