import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { crossfaderCurves } from '@stem-studio/contract/resources/deck-session';
import { crossfadeGains } from '@stem-studio/dsp/mix/crossfade';
import { LIMITER_CEILING } from '../gain/safety-limiter.ts';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';

const RATE_HZ = 44_100;
const constant = (level: number): TestSong => ({ frames: 4_000_000, sources: [() => level] });
const toneOf = (hz: number, level = 0.25): TestSong => ({
  frames: 200_000,
  sources: [(n) => level * Math.sin((2 * Math.PI * hz * n) / RATE_HZ)],
});

/** Level in dB of a tone in the audio. */
function toneDb(samples: Float32Array, hz: number): number {
  let [re, im] = [0, 0];
  for (let n = 0; n < samples.length; n++) {
    const window = 1 - Math.cos((2 * Math.PI * n) / samples.length);
    re += samples[n]! * window * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
    im += samples[n]! * window * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / samples.length);
}

function settled(rig: DjEngineRig, frames = 4_096): Float32Array {
  rig.render(8_192);
  return rig.renderMaster(frames);
}

test('applies the gains of every crossfader curve through the whole graph, with constant power where specified', () => {
  const rig = new DjEngineRig();
  rig.load('a', constant(0.4));
  rig.load('b', constant(0.4));
  rig.play('a');
  rig.play('b');
  for (const curve of crossfaderCurves) {
    for (let position = -1; position <= 1; position += 0.125) {
      const gains = { a: 0, b: 0 };
      for (const deck of ['a', 'b'] as const) {
        rig.strip('a', { volume: deck === 'a' ? 1 : 0 });
        rig.strip('b', { volume: deck === 'b' ? 1 : 0 });
        rig.master({ curve, crossfader: position });
        rig.render(1_024);
        gains[deck] = rig.render(128).master[64]! / 0.4;
      }
      const wanted = crossfadeGains(curve, position);
      assert.ok(Math.abs(gains.a - wanted.a) < 1e-5 && Math.abs(gains.b - wanted.b) < 1e-5, curve);
      if (curve !== 'linear') {
        const powerDb = 10 * Math.log10(gains.a ** 2 + gains.b ** 2);
        assert.ok(Math.abs(powerDb) <= 0.1, `${curve} at ${position}: ${powerDb} dB`);
      }
    }
  }
});

test('boosts each band of the equaliser by 6 dB, leaves it neutral and kills it, through the whole graph', () => {
  const bands = { low: 60, mid: 800, high: 9_000 } as const;
  for (const [band, hz] of Object.entries(bands)) {
    for (const [gain, least, most] of [
      [2, 5.5, 6.5],
      [1, -0.1, 0.1],
      [0, -200, -50],
    ] as const) {
      const rig = new DjEngineRig();
      rig.load('a', toneOf(hz, 0.2));
      rig.play('a');
      rig.strip('a', { [band]: gain });
      const db = toneDb(settled(rig, 22_050), hz) - 20 * Math.log10(0.2);
      assert.ok(db >= least && db <= most, `${band} at gain ${gain}: ${db} dB`);
    }
  }
});

test('passes the song unchanged through a neutral channel strip, and at the same level after a band was moved', () => {
  const rig = new DjEngineRig();
  const song = toneOf(1_000);
  rig.load('a', song);
  rig.play('a');
  rig.render(1_280);
  const from = rig.frameOf('a');
  const out = rig.renderMaster(12_800);
  for (let n = 0; n < 12_000; n += 11) assert.equal(out[n], Math.fround(song.sources[0]!(from + n)));
  rig.strip('a', { low: 0.5 });
  rig.render(4_096);
  rig.strip('a', {});
  const level = toneDb(settled(rig, 22_050), 1_000) - 20 * Math.log10(0.25);
  assert.ok(Math.abs(level) < 0.1, `${level} dB`);
});

test('the filter’s knob removes the highs to the left and the lows to the right', () => {
  for (const [position, hz, isGone] of [
    [-0.7, 5_000, true],
    [-0.7, 60, false],
    [0.7, 60, true],
    [0.7, 8_000, false],
    [0, 60, false],
    [0, 8_000, false],
  ] as const) {
    const rig = new DjEngineRig();
    rig.load('a', toneOf(hz));
    rig.play('a');
    rig.strip('a', { filter: position });
    const db = toneDb(settled(rig, 22_050), hz) - 20 * Math.log10(0.25);
    assert.ok(isGone ? db < -24 : Math.abs(db) < 2.5, `knob at ${position}, ${hz} Hz: ${db} dB`);
  }
});

test('the headphones get cued decks before their faders, and the master in an equal-power blend', () => {
  const rig = new DjEngineRig();
  rig.load('a', constant(0.3));
  rig.load('b', constant(0.2));
  rig.play('a');
  rig.play('b');
  rig.strip('b', { isCued: true, volume: 0 });
  const headphoneLevel = (headphoneMix: number, headphoneVolume = 1, volume = 1) => {
    rig.master({ headphoneMix, headphoneVolume, volume });
    rig.render(2_048);
    return rig.render(128).headphones[64]!;
  };
  near(headphoneLevel(-1), 0.2, 1e-6);
  near(headphoneLevel(1), 0.3, 1e-6);
  near(headphoneLevel(0), Math.SQRT1_2 * 0.5, 1e-6);
  near(headphoneLevel(-1, 0.5), 0.1, 1e-6);
  assert.ok(Math.abs(headphoneLevel(1, 1, 0) - 0.3) < 1e-6, 'the master before its volume');
});

test('nothing above the ceiling leaves either output, however high the gains are', () => {
  const rig = new DjEngineRig();
  for (const deck of ['a', 'b'] as const) {
    rig.load(deck, toneOf(deck === 'a' ? 97 : 1_313, 0.9));
    rig.strip(deck, { gain: 4, low: 2, mid: 2, high: 2, isCued: true });
    rig.play(deck);
  }
  rig.master({ crossfader: 0 });
  const { master, headphones } = rig.render(100_000);
  const highest = (samples: Float32Array) =>
    samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  assert.ok(highest(master) <= LIMITER_CEILING + 1e-6 && highest(master) > 0.9);
  assert.ok(highest(headphones) <= LIMITER_CEILING + 1e-6 && highest(headphones) > 0.9);
  assert.ok(rig.report.limiterGain < 0.3);
});

test('the metronome clicks on the leader’s beats to the sample, higher on downbeats, on the selected output', () => {
  const beats = Array.from({ length: 8 }, (_, beat) => 0.1 + beat * 0.5);
  const rig = new DjEngineRig();
  rig.load('a', { ...constant(0), beats, downbeats: [0.1, 2.1] });
  rig.tempo('a', 1.25);
  const on = { type: 'metronome', isOn: true, volume: 1, leader: 'a' as DeckId | null } as const;
  rig.kernel.apply({ ...on, output: 'headphones' });
  rig.play('a');
  const { master, headphones } = rig.render(3 * RATE_HZ);
  assert.ok(master.every((sample) => sample === 0));
  const found: number[] = [];
  for (let n = 0; n < headphones.length; n++) {
    if (headphones[n] !== 0 && n - (found.at(-1) ?? -9_999) > 5_000) found.push(n);
  }
  assert.equal(found.length, 8);
  for (const [index, at] of found.entries()) {
    const wanted = (beats[index]! / 1.25) * RATE_HZ + rig.kernel.delayFrames;
    assert.ok(Math.abs(at - wanted) <= 2, `beat ${index}: ${at} instead of ${wanted}`);
  }
  const crossings = (from: number) => {
    let count = 0;
    for (let n = from + 1; n < from + 800; n++) if (headphones[n]! > 0 !== headphones[n - 1]! > 0) count++;
    return count;
  };
  assert.ok(crossings(found[0]!) > 1.4 * crossings(found[1]!));
  assert.ok(crossings(found[4]!) > 1.4 * crossings(found[3]!));
});

test('clicks follow a loop', () => {
  const rig = new DjEngineRig();
  rig.load('a', { ...constant(0), beats: [0, 0.5, 1, 1.5, 2], downbeats: [0] });
  rig.kernel.apply({ type: 'metronome', isOn: true, volume: 1, output: 'master', leader: 'a' });
  rig.loop('a', 0.5 * RATE_HZ, RATE_HZ);
  rig.play('a');
  const out = rig.renderMaster(4 * RATE_HZ);
  for (let beat = 0; beat < 7; beat++) {
    const at = beat * 0.5 * RATE_HZ;
    assert.ok(
      out.subarray(at, at + 400).some((sample) => sample !== 0),
      `beat ${beat}`,
    );
    assert.ok(
      out.subarray(at + 3_000, at + 20_000).every((sample) => sample === 0),
      `after beat ${beat}`,
    );
  }
});

test("records every sample of the limiter's output in reusable chunks", () => {
  const rig = new DjEngineRig();
  const pieces: number[][] = [];
  let isDone = false;
  rig.kernel.recorder.onChunk = ({ samples, isLast }) => {
    pieces.push([...samples]);
    isDone = isLast;
    if (!isLast) rig.kernel.apply({ type: 'record-buffer', samples });
  };
  rig.load('a', toneOf(331));
  rig.play('a');
  rig.render(1_280);
  rig.kernel.apply({ type: 'record', isOn: true });
  const { master } = rig.render(128 * 400);
  rig.kernel.apply({ type: 'record', isOn: false });
  rig.render(1_280);
  assert.equal(isDone, true);
  const left = pieces.flat().filter((_, index) => index % 2 === 0);
  assert.deepEqual(left, [...master]);
});

test('the meters show the peaks since the last report', () => {
  const rig = new DjEngineRig();
  rig.load('a', { frames: 100_000, sources: [() => 0.5, () => -0.25] });
  rig.strip('a', { volume: 0.5 });
  rig.play('a');
  rig.render(4_096);
  assert.ok(rig.report.decks.a.sourcePeaks.length === 2);
  rig.render(1_280);
  const { decks, masterPeaks } = rig.report;
  assert.deepEqual(decks.a.sourcePeaks, [0.5, 0.25]);
  assert.deepEqual(decks.a.peaks, [0.125, 0.125]);
  assert.deepEqual(masterPeaks, [0.125, 0.125]);
});
