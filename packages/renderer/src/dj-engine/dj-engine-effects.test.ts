import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EffectSetting } from '../effects/effect-kernel.ts';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import { effectOf, largestStep, levelOf, noise } from '../testing/effect-rig.ts';
import { near } from '../testing/near.ts';

const RATE_HZ = 44_100;
const FRAMES = 600_000;
/** A click at each beat of 120 bpm. */
const clicks: TestSong = {
  frames: FRAMES,
  sources: [(frame) => (frame % 22_050 < 40 ? 0.4 : 0)],
  beats: Array.from({ length: 27 }, (_, beat) => beat / 2),
};
const hiss: TestSong = { ...clicks, sources: [noise(0.3)] };
const open = { 'Low cut': 20, 'High cut': 20_000 };

function setEffect(rig: DjEngineRig, effect: EffectSetting, slot = 0): void {
  rig.kernel.apply({ type: 'effect', deck: 'a', slot, effect });
}

/** Returns where a master signal rises above 0.05 after at least 100 samples below. */
function onsets(samples: Float32Array): number[] {
  const found: number[] = [];
  let quiet = 100;
  for (let n = 0; n < samples.length; n++) {
    if (Math.abs(samples[n]!) < 0.05) quiet++;
    else {
      if (quiet >= 100) found.push(n);
      quiet = 0;
    }
  }
  return found;
}

test('an echo on a deck follows its tempo: half a beat later at any tempo', () => {
  for (const rate of [1, 1.25, 0.8]) {
    const rig = new DjEngineRig();
    rig.load('a', clicks);
    rig.tempo('a', rate);
    setEffect(rig, effectOf('echo', { Feedback: 0, ...open }, { beats: 1 / 2, wet: 0.5 }));
    rig.play('a');
    const found = onsets(rig.renderMaster(4 * RATE_HZ)).slice(2, 8);
    const beat = 22_050 / rate;
    for (let index = 1; index < found.length; index++)
      assert.ok(Math.abs(found[index]! - found[index - 1]! - beat / 2) <= 3, `${rate}: ${found.join(' ')}`);
  }
});

test('a mix of 0 leaves every sample of the master as it is', () => {
  const play = (effect: EffectSetting | null) => {
    const rig = new DjEngineRig();
    rig.load('a', hiss);
    rig.load('b', hiss);
    if (effect) {
      setEffect(rig, effect, 0);
      setEffect(rig, { ...effect, isPostFader: false }, 1);
      rig.kernel.apply({ type: 'master-effect', effect });
    }
    rig.master({ crossfader: 0.1 });
    rig.strip('a', { volume: 0.7 });
    rig.play('a');
    rig.play('b');
    return rig.renderMaster(44_100);
  };
  const dry = play(null);
  for (const type of ['echo', 'reverb', 'flanger', 'roll'] as const)
    assert.deepEqual(play(effectOf(type, {}, { wet: 0 })), dry, type);
});

test('after the fader is closed, a post-fader effect rings out and a pre-fader effect does not', () => {
  const tailLevel = (isPostFader: boolean, close: (rig: DjEngineRig) => void) => {
    const rig = new DjEngineRig();
    rig.load('a', hiss);
    setEffect(rig, effectOf('echo', { Feedback: 0.7, ...open }, { beats: 1 / 2, wet: 0.5, isPostFader }));
    rig.play('a');
    rig.render(2 * RATE_HZ);
    close(rig);
    rig.render(4410);
    return levelOf(rig.renderMaster(22_050));
  };
  const volume = (rig: DjEngineRig) => rig.strip('a', { volume: 0 });
  const crossfader = (rig: DjEngineRig) => rig.master({ crossfader: 1, curve: 'linear' });
  assert.ok(tailLevel(true, volume) > 0.05, `${tailLevel(true, volume)}`);
  assert.ok(tailLevel(true, crossfader) > 0.05);
  assert.equal(tailLevel(false, volume), 0);
  assert.equal(tailLevel(false, crossfader), 0);
  // With the fader open both are alike.
  near(
    tailLevel(true, (rig) => rig.pause('a')),
    tailLevel(false, (rig) => rig.pause('a')),
    1e-3,
  );
});

test('the headphones have the effects of a cued deck while its fader is closed', () => {
  for (const isPostFader of [true, false]) {
    const rig = new DjEngineRig();
    rig.load('a', clicks);
    rig.strip('a', { volume: 0, isCued: true });
    rig.render(1280);
    setEffect(rig, effectOf('echo', { Feedback: 0, ...open }, { beats: 1 / 2, wet: 0.5, isPostFader }));
    rig.play('a');
    const { master, headphones } = rig.render(3 * RATE_HZ);
    assert.ok(master.every((sample) => sample === 0));
    const found = onsets(headphones).slice(2, 6);
    for (let index = 1; index < found.length; index++)
      assert.ok(
        Math.abs(found[index]! - found[index - 1]! - 11_025) <= 2,
        `${isPostFader}: ${found.join(' ')}`,
      );
  }
});

test('moving a slot before or after the fader makes no step, and the tail stays', () => {
  const rig = new DjEngineRig();
  const tone: TestSong = { ...clicks, sources: [(frame) => 0.3 * Math.sin(frame * 0.03)] };
  rig.load('a', tone);
  const effect = effectOf('echo', { Feedback: 0.6, ...open }, { beats: 1 / 2 });
  setEffect(rig, effect);
  rig.play('a');
  rig.render(RATE_HZ);
  const before = largestStep(rig.renderMaster(RATE_HZ));
  setEffect(rig, { ...effect, isPostFader: false });
  assert.ok(largestStep(rig.renderMaster(RATE_HZ)) < 1.5 * before);
});

test('the effect on the master follows the beats of the leader', () => {
  const rig = new DjEngineRig();
  rig.load('a', clicks);
  rig.load('b', { ...hiss, beats: Array.from({ length: 20 }, (_, beat) => beat * 0.4) });
  rig.tempo('a', 1.1);
  const effect = effectOf('echo', { Feedback: 0, ...open }, { beats: 1 / 2 });
  rig.kernel.apply({ type: 'master-effect', effect });
  rig.kernel.apply({ type: 'metronome', isOn: false, volume: 0, output: 'master', leader: 'a' });
  rig.play('a');
  const found = onsets(rig.renderMaster(4 * RATE_HZ)).slice(2, 8);
  for (let index = 1; index < found.length; index++)
    assert.ok(Math.abs(found[index]! - found[index - 1]! - 11_025 / 1.1) <= 3, found.join(' '));
});

test('the gate of a deck opens on its beats, also after a jump', () => {
  const rig = new DjEngineRig();
  rig.load('a', { ...clicks, sources: [() => 0.3] });
  setEffect(rig, effectOf('gate', { Open: 0.5, Ramp: 2 }, { beats: 1, wet: 1 }));
  rig.seek('a', 5000);
  rig.play('a');
  rig.renderMaster(2 * RATE_HZ);
  rig.seek('a', 130_123);
  rig.render(22_050);
  // A block is rendered from its frame on; the limiter is later by its delay.
  const from = rig.frameOf('a') - rig.kernel.delayFrames;
  const found = onsets(rig.render(2 * RATE_HZ).master);
  assert.ok(found.length >= 3, found.join(' '));
  for (const at of found.slice(1)) {
    const phase = (((from + at) % 22_050) + 22_050) % 22_050;
    assert.ok(phase < 40, `opens ${phase} samples after the beat`);
  }
});

test('a tail keeps its tempo when the deck is paused and another song is loaded', () => {
  const rig = new DjEngineRig();
  rig.load('a', clicks);
  setEffect(rig, effectOf('echo', { Feedback: 0.9, ...open }, { beats: 1 / 2 }));
  rig.play('a');
  rig.render(2 * RATE_HZ);
  rig.pause('a');
  rig.render(4410);
  rig.load('a', { ...hiss, beats: Array.from({ length: 20 }, (_, beat) => beat * 0.35) });
  const found = onsets(rig.renderMaster(RATE_HZ));
  assert.ok(found.length >= 3, found.join(' '));
  for (let index = 1; index < found.length; index++)
    assert.ok(Math.abs(found[index]! - found[index - 1]! - 11_025) <= 2, found.join(' '));
});
