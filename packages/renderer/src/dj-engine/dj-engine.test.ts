import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';

const RATE_HZ = 44_100;
const tone =
  (hz: number, level = 0.5) =>
  (n: number) =>
    Math.fround(level * Math.sin((2 * Math.PI * hz * n) / RATE_HZ));
const toneSong = (hz: number, frames = 400_000): TestSong => ({ frames, sources: [tone(hz)] });

test('play is audible within two render quanta and the limiter’s look-ahead', () => {
  const rig = new DjEngineRig();
  rig.load('a', { frames: 100_000, sources: [() => 0.5] });
  rig.render(1_280);
  rig.play('a');
  const { master } = rig.render(512);
  const first = master.findIndex((sample) => sample !== 0);
  assert.ok(first >= 0 && first < 256 + rig.kernel.delayFrames, `first audio at sample ${first}`);
});

test('at the recorded tempo the output is the song, sample for sample', () => {
  const rig = new DjEngineRig();
  const song = tone(441);
  rig.load('a', { frames: 400_000, sources: [song] });
  rig.play('a');
  const out = rig.renderMaster(300_000);
  for (let n = 221; n < 299_000; n += 7) assert.equal(out[n], song(n), `sample ${n}`);
});

test('at another tempo without key lock the pitch follows', () => {
  const rig = new DjEngineRig();
  rig.load('a', toneSong(441));
  rig.tempo('a', 1.08);
  rig.play('a');
  const out = rig.renderMaster(100_000);
  const at = rig.frameOf('a');
  near(at, 1.08 * (Math.ceil((100_000 + rig.kernel.delayFrames) / 128) * 128), 1e-6);
  for (let n = 400; n < 99_000; n += 13) {
    assert.ok(Math.abs((out[n] ?? 0) - 0.5 * Math.sin(1.08 * 0.02 * Math.PI * n)) < 1e-4, `sample ${n}`);
  }
});
