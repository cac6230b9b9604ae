import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_FRAMES } from '../sources/chunk.ts';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';
import type { FrameLoop } from './dj-engine-messages.ts';

const RATE_HZ = 44_100;
const FADE_FRAMES = 220;
const HZ = 441;
const LEVEL = 0.5;
/** Largest second difference of the tone itself. */
const SMOOTH = LEVEL * ((2 * Math.PI * HZ) / RATE_HZ) ** 2;

const tone = (n: number) => Math.fround(LEVEL * Math.sin((2 * Math.PI * HZ * n) / RATE_HZ));
const toneSong: TestSong = { frames: 400_000, sources: [tone] };
/** A song whose samples state their frame: no two are alike. */
const ramp = (n: number) => Math.fround(n / 1_000_000);
const rampSong: TestSong = { frames: 400_000, sources: [ramp] };

/** A click is a corner: returns the sharpest one, as the largest second difference. */
function sharpest(samples: Float32Array): number {
  let most = 0;
  for (let n = 2; n < samples.length; n++) {
    most = Math.max(most, Math.abs(samples[n]! - 2 * samples[n - 1]! + samples[n - 2]!));
  }
  return most;
}

test('play, pause, seek, loop and their ends do not click, at any phase of a tone', () => {
  const acts: [string, (rig: DjEngineRig) => void][] = [
    ['pause', (rig) => rig.pause('a')],
    ['seek', (rig) => rig.seek('a', 100_033)],
    ['seek and seek again at once', (rig) => [rig.seek('a', 100_033), rig.seek('a', 200_071)]],
    ['a loop of 3.3 ms', (rig) => rig.loop('a', rig.frameOf('a') - 100, rig.frameOf('a') + 45.5)],
    ['a longer loop', (rig) => rig.loop('a', rig.frameOf('a') - 3_000, rig.frameOf('a') + 3_000)],
    ['a loop cut short', (rig) => rig.loop('a', rig.frameOf('a') - 3_000, rig.frameOf('a') - 1_017)],
    ['a loop that ends', (rig) => rig.unloop('a')],
    ['a loop of a stem', (rig) => loopStem(rig, { startFrame: 150_000, endFrame: 150_733.5 })],
    ['a loop of a stem that ends', (rig) => loopStem(rig, null)],
    ['tempo', (rig) => rig.tempo('a', 1.06)],
    ['back to the recorded tempo', (rig) => rig.tempo('a', 1)],
    ['a scratch', (rig) => rig.kernel.apply({ type: 'scratch', deck: 'a', rate: -1.5 })],
    ['the end of a scratch', (rig) => rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null })],
    ['a nudge', (rig) => rig.kernel.apply({ type: 'bend', deck: 'a', factor: 1.04 })],
    ['no nudge', (rig) => rig.kernel.apply({ type: 'bend', deck: 'a', factor: 1 })],
    ['silence of a stem', (rig) => rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [0] })],
    ['sound of a stem', (rig) => rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [1] })],
    ['unload', (rig) => rig.kernel.apply({ type: 'unload', deck: 'a' })],
  ];
  const loopStem = (rig: DjEngineRig, loop: FrameLoop | null) =>
    rig.kernel.apply({ type: 'source-loop', deck: 'a', source: 0, loop });
  const rig = new DjEngineRig();
  for (let round = 0; round < 4; round++) {
    rig.load('a', toneSong);
    rig.tempo('a', 1);
    rig.seek('a', 150_000 + 37 * round);
    for (const [name, act] of acts) {
      rig.play('a');
      rig.render(1_280);
      const before = rig.render(1_024).master;
      act(rig);
      const after = rig.render(2_560).master;
      const seam = Float32Array.from([...before.subarray(-256), ...after]);
      // Scratching makes the tone higher for a moment; fades and a tone at another tempo are a little sharper.
      const most = 2.5 * SMOOTH;
      assert.ok(sharpest(seam) < most, `${name}: ${sharpest(seam) / SMOOTH} of the tone's own`);
    }
  }
});

test('a loop lasts exactly its length, fractions of a frame included, over hundreds of rounds', () => {
  const start = 10_000.25;
  const length = 441.37;
  const rig = new DjEngineRig();
  rig.load('a', rampSong);
  rig.loop('a', start, start + length);
  rig.seek('a', 10_000);
  rig.play('a');
  const frames = 128 * 2_400;
  const { master } = rig.render(frames);
  const wanted = start + ((10_000 - start + frames) % length);
  assert.ok(Math.abs(rig.frameOf('a') - wanted) < 1e-5, `${rig.frameOf('a')} instead of ${wanted}`);
  // The output matches the reported position, to the frame.
  const delay = rig.kernel.delayFrames;
  for (let n = frames - 40_000; n < frames; n++) {
    const offset = (10_000 - start + n - delay) % length;
    if (offset < FADE_FRAMES + 2 || offset > length - 2) continue;
    assert.ok(Math.abs(master[n]! * 1_000_000 - (start + offset)) < 0.6, `sample ${n}`);
  }
});

test('a loop at another tempo lasts as long as its beats', () => {
  const rig = new DjEngineRig();
  rig.load('a', rampSong);
  rig.loop('a', 20_000, 31_025.5);
  rig.tempo('a', 1.031);
  rig.seek('a', 20_000);
  rig.play('a');
  rig.render(128 * 5_000);
  const wanted = 20_000 + ((128 * 5_000 * 1.031) % 11_025.5);
  near(rig.frameOf('a'), wanted, 1e-4);
});

test('a loop that ends before the position is not entered; one whose end moves before the position moves playback in phase', () => {
  const rig = new DjEngineRig();
  rig.load('a', rampSong);
  rig.seek('a', 50_000);
  rig.play('a');
  rig.loop('a', 10_000, 20_000);
  rig.render(1_280);
  assert.equal(rig.frameOf('a'), 51_280);
  rig.loop('a', 50_000, 60_000);
  rig.render(6_400);
  assert.equal(rig.frameOf('a'), 57_680);
  rig.loop('a', 50_000, 55_000);
  assert.equal(rig.frameOf('a'), 52_680);
  rig.unloop('a');
  rig.render(12_800);
  assert.equal(rig.frameOf('a'), 65_480);
});

test('a stem with its own loop repeats alone, and without it is in sync again', () => {
  const rig = new DjEngineRig();
  const other = (n: number) => Math.fround(n / 500_000);
  rig.load('a', { frames: 400_000, sources: [ramp, other] });
  rig.kernel.apply({
    type: 'source-loop',
    deck: 'a',
    source: 1,
    loop: { startFrame: 1_000, endFrame: 3_000 },
  });
  rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [0, 1] });
  rig.play('a');
  const alone = rig.renderMaster(20_000);
  for (let n = 3_500; n < 20_000; n += 31) {
    const offset = (n - 1_000) % 2_000;
    if (offset < FADE_FRAMES + 2) continue;
    assert.ok(Math.abs(alone[n]! - other(1_000 + offset)) < 1e-6, `sample ${n}`);
  }
  rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [1, 1] });
  rig.kernel.apply({ type: 'source-loop', deck: 'a', source: 1, loop: null });
  rig.render(1_280);
  const from = rig.frameOf('a');
  const both = rig.renderMaster(12_800);
  for (let n = 0; n < 12_000; n += 31) {
    const at = from + n - 0;
    assert.ok(Math.abs(both[n]! - ramp(at) - other(at)) < 2e-6, `sample ${n}`);
  }
});

test('a deck with slip continues at the slip position when its loop, scratching or slip itself ends', () => {
  const rig = new DjEngineRig();
  rig.load('a', rampSong);
  rig.seek('a', 20_000);
  rig.play('a');
  rig.kernel.apply({ type: 'slip', deck: 'a', isOn: true, id: 1 });
  rig.loop('a', 20_000, 21_000);
  rig.render(6_400);
  assert.equal(rig.report.decks.a.slipFrame, 26_400);
  rig.unloop('a');
  assert.equal(rig.frameOf('a'), 26_400);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: -3 });
  rig.render(12_800);
  assert.ok(rig.frameOf('a') < 0 || rig.frameOf('a') < 1, 'turned back to the beginning');
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  assert.equal(rig.frameOf('a'), 39_200);
  rig.seek('a', 100_000);
  rig.render(1_280);
  rig.kernel.apply({ type: 'slip', deck: 'a', isOn: false, id: 2 });
  assert.equal(rig.frameOf('a'), 40_480);
  rig.render(1_280);
  assert.equal(rig.frameOf('a'), 41_760);
});

test('a deck with slip in a loop within a loop continues in the outer one, at the slip position', () => {
  const rig = new DjEngineRig();
  rig.load('a', rampSong);
  rig.loop('a', 20_000, 40_000);
  rig.seek('a', 30_000);
  rig.play('a');
  rig.render(1_280);
  rig.kernel.apply({ type: 'slip', deck: 'a', isOn: true, id: 1 });
  rig.loop('a', 31_280, 32_280);
  rig.render(25_600);
  assert.equal(rig.report.decks.a.slipFrame, 31_280 + 25_600);
  rig.loop('a', 20_000, 40_000);
  rig.kernel.apply({ type: 'slip', deck: 'a', isOn: false, id: 2 });
  assert.equal(rig.frameOf('a'), 36_880);
  rig.render(6_400);
  assert.equal(rig.frameOf('a'), 36_880 + 6_400 - 20_000);
});

test('scratching back by many rounds of a short loop at once stays in it', () => {
  for (const hasWrapped of [true, false]) {
    const rig = new DjEngineRig();
    rig.load('a', toneSong);
    rig.loop('a', 100_000, 100_150);
    rig.seek('a', 100_010);
    rig.play('a');
    if (hasWrapped) rig.render(1_280);
    rig.kernel.apply({ type: 'scratch', deck: 'a', rate: -8 });
    for (let block = 0; block < 200; block++) {
      rig.render(128);
      const frame = rig.frameOf('a');
      assert.ok(frame >= 100_000 && frame < 100_150, `at ${frame} in block ${block}`);
    }
  }
});

test('scratching plays the record backwards, holds it silent, and lets it continue', () => {
  const rig = new DjEngineRig();
  rig.load('a', toneSong);
  rig.seek('a', 100_000);
  rig.play('a');
  rig.render(1_280);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: -1 });
  const from = rig.frameOf('a');
  rig.render(RATE_HZ);
  assert.ok(rig.report.decks.a.rate < -0.99);
  near(from - rig.frameOf('a'), RATE_HZ, 0.05 * RATE_HZ);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: 0 });
  rig.render(12_800);
  assert.ok(rig.render(1_280).master.every((sample) => Math.abs(sample) < 1e-3));
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  rig.render(25_600);
  const { a } = rig.report.decks;
  assert.equal(a.rate, 1);
  assert.equal(a.transport, 'playing');
});

test('scratching a paused deck is audible, and leaves it paused', () => {
  const rig = new DjEngineRig();
  rig.load('a', toneSong);
  rig.seek('a', 100_000);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: 1.5 });
  assert.ok(Math.max(...rig.render(12_800).master) > 0.4);
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  rig.render(44_100);
  const { frame } = rig.report.decks.a;
  assert.ok(rig.render(1_280).master.every((sample) => sample === 0));
  assert.equal(rig.frameOf('a'), frame);
  assert.equal(rig.report.decks.a.transport, 'paused');
});

test('a deck waits where samples of any source are missing, and resumes by itself', () => {
  const rig = new DjEngineRig();
  const song: TestSong = { frames: 4 * CHUNK_FRAMES, sources: [ramp, ramp] };
  const load = rig.load('a', song, { isWhole: false });
  rig.play('a');
  rig.render(1_280);
  assert.equal(rig.report.decks.a.transport, 'buffering');
  rig.chunk('a', load, song, 0);
  rig.chunk('a', load, song, 1, 0);
  rig.render(2 * CHUNK_FRAMES);
  const waiting = rig.report.decks.a;
  assert.equal(waiting.transport, 'buffering');
  assert.ok(waiting.frame <= CHUNK_FRAMES && waiting.frame > CHUNK_FRAMES - 1_000, `${waiting.frame}`);
  rig.chunk('a', load, song, 1, 1);
  rig.render(12_800);
  assert.equal(rig.report.decks.a.transport, 'playing');
  assert.equal(rig.frameOf('a'), waiting.frame + 12_800);
});

test('a deck ends with its song, and plays again from the start', () => {
  const rig = new DjEngineRig();
  rig.load('a', { frames: 5_000, sources: [() => 0.1] });
  rig.play('a');
  rig.render(8_000);
  assert.equal(rig.report.decks.a.transport, 'ended');
  assert.equal(rig.frameOf('a'), 5_000);
  rig.play('a');
  rig.render(1_280);
  assert.equal(rig.frameOf('a'), 1_280);
});

test('swaps to stems that arrive during playback at its position, once they can continue', () => {
  const rig = new DjEngineRig();
  const halves: TestSong = { frames: 400_000, sources: [(n) => tone(n) / 2, (n) => tone(n) / 2] };
  const first = rig.load('a', toneSong);
  rig.loop('a', 60_000, 90_000);
  rig.play('a');
  rig.render(64_000);
  const second = rig.load('a', halves, { isWhole: false, keepsPosition: true });
  rig.render(1_280);
  assert.equal(rig.report.decks.a.load, first);
  const before = rig.render(1_280).master;
  for (let index = 0; index < 3; index++) rig.chunk('a', second, halves, index);
  const after = rig.render(12_800).master;
  const { a } = rig.report.decks;
  assert.equal(a.load, second);
  assert.equal(a.frame, 64_000 + 2_560 + 12_800);
  assert.ok(sharpest(Float32Array.from([...before, ...after])) < 1.1 * SMOOTH);
  rig.render(25_600);
  assert.ok(rig.frameOf('a') < 90_000, 'the loop is still there');
});

test('a quantized seek goes to the nearest position in the same beat phase', () => {
  const rig = new DjEngineRig();
  const beats = Array.from({ length: 16 }, (_, beat) => (beat * 22_050) / RATE_HZ);
  rig.load('a', { ...rampSong, beats });
  rig.play('a');
  rig.render(128 * 40);
  const phase = rig.frameOf('a') % 22_050;
  rig.seek('a', 10 * 22_050, true);
  assert.equal(rig.frameOf('a'), 10 * 22_050 + phase);
  rig.render(128 * 120);
  const late = rig.frameOf('a') % 22_050;
  assert.ok(late > 11_025);
  rig.seek('a', 5 * 22_050, true);
  near(rig.frameOf('a'), 4 * 22_050 + late, 1);
});

test('a song of another sample rate plays at its tempo', () => {
  const rig = new DjEngineRig(48_000);
  rig.load('a', toneSong);
  rig.play('a');
  const out = rig.renderMaster(96_000);
  near(rig.frameOf('a'), (Math.ceil((96_000 + rig.kernel.delayFrames) / 128) * 128 * 44_100) / 48_000, 1e-3);
  for (let n = 1_000; n < 95_000; n += 17) {
    const wanted = LEVEL * Math.sin((2 * Math.PI * HZ * n) / 48_000);
    assert.ok(Math.abs(out[n]! - wanted) < 2e-4, `sample ${n}: ${out[n]! - wanted}`);
  }
});
