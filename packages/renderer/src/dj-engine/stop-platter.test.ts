import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';

const RATE_HZ = 44_100;
const HZ = 440;
const song: TestSong = {
  frames: 30 * RATE_HZ,
  sources: [(n) => 0.5 * Math.sin((2 * Math.PI * HZ * n) / RATE_HZ)],
};

/** Returns an engine whose deck A has played for two seconds. */
function playing(): DjEngineRig {
  const rig = new DjEngineRig(RATE_HZ);
  rig.load('a', song);
  rig.play('a');
  rig.render(2 * RATE_HZ);
  return rig;
}

/** Largest difference between two samples. */
function steepest(samples: Float32Array): number {
  let most = 0;
  for (let n = 1; n < samples.length; n++) most = Math.max(most, Math.abs(samples[n]! - samples[n - 1]!));
  return most;
}

/** Steepest slope of the song at a speed. */
const slope = (rate: number) => 0.5 * ((2 * Math.PI * HZ) / RATE_HZ) * rate;

test('a brake slows down in a straight line to silence within its time, without a click', () => {
  for (const seconds of [0.5, 2]) {
    const rig = playing();
    const from = rig.frameOf('a');
    rig.kernel.apply({ type: 'stop-platter', deck: 'a', motion: 'brake', seconds });
    const half = rig.render((seconds / 2) * RATE_HZ).master;
    const { rate } = rig.report.decks.a;
    assert.ok(Math.abs(rate - 0.5) < 0.03, `half way at ${rate}`);
    const rest = rig.render((seconds / 2 + 0.1) * RATE_HZ).master;
    for (const samples of [half, rest])
      assert.ok(steepest(samples) <= slope(1.05), `step of ${steepest(samples)}`);
    // Half of the time at full speed: the distance of a straight ramp.
    const distance = (rig.frameOf('a') - from) / RATE_HZ;
    assert.ok(Math.abs(distance - seconds / 2) < 0.03, `${distance} s`);
    const still = rig.render(0.5 * RATE_HZ).master;
    assert.ok(Math.max(...still.map(Math.abs)) < 1e-3, 'silent');
    assert.equal(rig.report.decks.a.transport, 'playing');
  }
});

test('a released brake returns to the tempo', () => {
  const rig = playing();
  rig.tempo('a', 1.04);
  rig.kernel.apply({ type: 'stop-platter', deck: 'a', motion: 'brake', seconds: 0.5 });
  rig.render(0.3 * RATE_HZ);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  const { master } = rig.render(0.5 * RATE_HZ);
  assert.equal(rig.report.decks.a.rate, 1.04);
  assert.ok(steepest(master) <= slope(1.1), `step of ${steepest(master)}`);
});

test('a spin-back runs backwards and stops within its time', () => {
  const rig = playing();
  rig.seek('a', 10 * RATE_HZ);
  rig.render(0.1 * RATE_HZ);
  const from = rig.frameOf('a');
  rig.kernel.apply({ type: 'stop-platter', deck: 'a', motion: 'spin_back', seconds: 0.7 });
  const { master } = rig.render(0.8 * RATE_HZ);
  const distance = (rig.frameOf('a') - from) / RATE_HZ;
  // Four times the speed, decreasing in a straight line: 4 · 0.7 / 2.
  assert.ok(Math.abs(distance + 1.4) < 0.1, `${distance} s`);
  assert.ok(steepest(master) <= slope(4.3), `step of ${steepest(master)}`);
  rig.render(0.3 * RATE_HZ);
  assert.ok(Math.abs(rig.report.decks.a.rate) < 0.01);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  rig.render(0.5 * RATE_HZ);
  assert.equal(rig.report.decks.a.rate, 1);
});
