import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';

const RATE_HZ = 44_100;
const toneSong = (hz: number): TestSong => ({
  frames: 400_000,
  sources: [(n) => 0.4 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ)],
});

/** Frequency of a tone, by the phase difference between two halves of the audio. */
function pitchOf(samples: Float32Array, nearHz: number): number {
  const half = samples.length >> 1;
  const phaseAt = (from: number) => {
    let [re, im] = [0, 0];
    for (let n = 0; n < half; n++) {
      const window = 1 - Math.cos((2 * Math.PI * n) / half);
      const angle = (2 * Math.PI * nearHz * (from + n)) / RATE_HZ;
      re += samples[from + n]! * window * Math.cos(angle);
      im -= samples[from + n]! * window * Math.sin(angle);
    }
    return Math.atan2(im, re);
  };
  let phaseStep = phaseAt(half) - phaseAt(0);
  phaseStep -= 2 * Math.PI * Math.round(phaseStep / (2 * Math.PI));
  return nearHz + (phaseStep * RATE_HZ) / (2 * Math.PI * half);
}

test('key lock keeps the pitch within 3 cents at every tempo, and a key shift moves it by its semitones', () => {
  for (const hz of [82.4, 440, 2_637]) {
    for (const [rate, semitones] of [
      [0.92, 0],
      [1.08, 0],
      [1.16, 0],
      [1, 2],
      [1.05, -3],
    ] as const) {
      const rig = new DjEngineRig();
      rig.load('a', toneSong(hz));
      rig.tempo('a', rate, true, semitones);
      rig.play('a');
      rig.render(22_050);
      const wanted = hz * 2 ** (semitones / 12);
      const cents = 1_200 * Math.log2(pitchOf(rig.renderMaster(40_000), wanted) / wanted);
      assert.ok(Math.abs(cents) <= 3, `${hz} Hz at ${rate}, ${semitones} semitones: ${cents} cents`);
    }
  }
});

test('without key lock a key shift adds to the pitch change of the tempo', () => {
  const rig = new DjEngineRig();
  rig.load('a', toneSong(440));
  rig.tempo('a', 1.06, false, 1);
  rig.play('a');
  rig.render(22_050);
  const wanted = 440 * 1.06 * 2 ** (1 / 12);
  const cents = 1_200 * Math.log2(pitchOf(rig.renderMaster(40_000), wanted) / wanted);
  assert.ok(Math.abs(cents) <= 3, `${cents} cents`);
});

test('the position is exact to the sample while key lock is turned on and off', () => {
  const rig = new DjEngineRig();
  const click = 150_000;
  rig.load('a', { frames: 400_000, sources: [(n) => (n >= click && n < click + 60 ? 0.8 : 0)] });
  for (const [rate, isKeyLocked] of [
    [1, false],
    [1.07, false],
    [1.07, true],
    [0.94, true],
  ] as const) {
    rig.tempo('a', rate, isKeyLocked);
    rig.seek('a', 100_000);
    rig.play('a');
    const out = rig.renderMaster(70_000);
    const at = out.findIndex((sample) => Math.abs(sample) > 0.2);
    const wanted = (click - 100_000) / rate;
    assert.ok(Math.abs(at - wanted) < 0.002 * RATE_HZ, `rate ${rate}: click at ${at}, not at ${wanted}`);
    rig.pause('a');
    rig.render(2_560);
  }
});

test('a loop continues through key lock: its rounds have the same length, its pitch is kept', () => {
  const rig = new DjEngineRig();
  const hz = 441;
  rig.load('a', toneSong(hz));
  rig.tempo('a', 1.05, true);
  rig.loop('a', 20_000, 20_000 + 11_000);
  rig.seek('a', 20_000);
  rig.play('a');
  rig.render(22_050);
  const cents = 1_200 * Math.log2(pitchOf(rig.renderMaster(40_000), hz) / hz);
  assert.ok(Math.abs(cents) <= 3, `${cents} cents`);
  const { frame } = rig.report.decks.a;
  const wanted = 20_000 + ((rig.rendered * 1.05) % 11_000);
  assert.ok(Math.abs(frame - wanted) < 1e-3, `${frame} instead of ${wanted}`);
});

test('turning key lock on and off does not click', () => {
  const rig = new DjEngineRig();
  const hz = 220.5;
  rig.load('a', toneSong(hz));
  rig.play('a');
  rig.render(4_096);
  const own = 0.4 * ((2 * Math.PI * hz) / RATE_HZ) ** 2;
  for (const [rate, isKeyLocked] of [
    [1.04, true],
    [1, true],
    [1.04, false],
    [1.04, true],
    [1, false],
  ] as const) {
    rig.tempo('a', rate, isKeyLocked);
    const samples = rig.render(20_480).master;
    let most = 0;
    for (let n = 2; n < samples.length; n++) {
      most = Math.max(most, Math.abs(samples[n]! - 2 * samples[n - 1]! + samples[n - 2]!));
    }
    assert.ok(most < 3 * own, `to ${rate}, ${isKeyLocked}: ${most / own} of the tone's own`);
  }
});

test('mutes and unmutes a stem under key lock within 15 ms, without a click', () => {
  const rig = new DjEngineRig();
  rig.load('a', toneSong(220.5));
  rig.tempo('a', 1.04, true);
  rig.play('a');
  rig.render(22_050);
  const own = 0.4 * ((2 * Math.PI * 220.5) / RATE_HZ) ** 2;
  for (const gain of [0, 1]) {
    rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [gain] });
    const samples = rig.renderMaster(8_192);
    const after = samples.subarray(Math.round(0.015 * RATE_HZ));
    const level = after.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(gain === 0 ? level < 1e-4 : level > 0.38, `gain ${gain}: ${level}`);
    let sharpest = 0;
    for (let n = 2; n < samples.length; n++) {
      sharpest = Math.max(sharpest, Math.abs(samples[n]! - 2 * samples[n - 1]! + samples[n - 2]!));
    }
    assert.ok(sharpest < 3 * own, `${sharpest / own} of the tone's own`);
  }
});
