import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { editedProject, editRateHz, openEditRig } from '../testing/edit-rig.ts';

const ms = editRateHz / 1000;
const stems: readonly StemType[] = ['drums'];
const tone = (_stem: StemType, frame: number) => 0.5 * Math.sin((2 * Math.PI * 440 * frame) / editRateHz);
const warp = (...points: readonly (readonly [number, number])[]): Edit => ({
  operation: 'warp',
  params: { points: points.map(([from_ms, to_ms]) => ({ from_ms, to_ms })) },
});
const transpose = (value: number): Edit => ({ operation: 'transpose', params: { value } });
const reverse: Edit = { operation: 'reverse', params: { clip_ids: ['drums'], value: 1 } };

function openAt(edits: readonly Edit[], startMs = 0, sampleOf = tone) {
  const rig = openEditRig(editedProject(stems, 6, edits), sampleOf);
  rig.mixer.apply({ type: 'seek', frame: startMs * ms, id: 1 });
  rig.mixer.apply({ type: 'play', id: 2, isImmediate: true });
  return rig;
}

/** Frequency of a tone by the phase that it advances between two halves of a second, in Hz. */
function frequencyOf(samples: Float32Array, aboutHz: number): number {
  const frames = editRateHz / 2;
  const phase = (from: number) => {
    let [re, im] = [0, 0];
    for (let n = 0; n < frames; n++) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frames);
      const angle = (2 * Math.PI * aboutHz * (from + n)) / editRateHz;
      re += window * samples[from + n]! * Math.cos(angle);
      im -= window * samples[from + n]! * Math.sin(angle);
    }
    return Math.atan2(im, re);
  };
  const step = editRateHz / 50;
  const turned = phase(step) - phase(0);
  const wrapped = turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
  return aboutHz + (wrapped * editRateHz) / (2 * Math.PI * step);
}

/** Frames of the peaks of clicks, one for each that is expected. */
function peaksOf(samples: Float32Array, expectedMs: readonly number[]): number[] {
  return expectedMs.map((at) => {
    const from = Math.max(0, Math.round((at - 60) * ms));
    const part = samples.subarray(from, Math.round((at + 60) * ms));
    const most = part.reduce((best, sample, n) => (Math.abs(sample) > Math.abs(part[best]!) ? n : best), 0);
    return (from + most) / ms;
  });
}

test('a clip at another tempo keeps its pitch within three cents', () => {
  for (const toMs of [3000, 4800, 7200]) {
    const [output] = openAt([warp([0, 0], [5000, toMs])], 500).render(1200 * ms);
    const cents = 1200 * Math.log2(frequencyOf(output.subarray(200 * ms), 440) / 440);
    assert.ok(Math.abs(cents) < 3, `5 s in ${toMs} ms: ${cents} cents`);
  }
});

test('a transposed clip has its tempo, and its pitch within three cents', () => {
  for (const semitones of [-5, 3, 12]) {
    const hz = 440 * 2 ** (semitones / 12);
    const [output] = openAt([transpose(semitones)], 500).render(1200 * ms);
    const cents = 1200 * Math.log2(frequencyOf(output.subarray(200 * ms), hz) / hz);
    assert.ok(Math.abs(cents) < 3, `${semitones} semitones: ${cents} cents`);
  }
});

test('drums that drift lie on the grid after they were warped to it', () => {
  // Beats of 500 ms that the drummer played up to 30 ms early or late.
  const played = [500, 1010, 1480, 2030, 2490, 2975, 3510, 4000];
  const grid = played.map((_, beat) => 500 + 500 * beat);
  const click = (_stem: StemType, frame: number) => {
    const beat = played.find((at) => frame >= at * ms && frame < (at + 40) * ms);
    if (beat === undefined) return 0;
    const age = frame - beat * ms;
    return Math.exp(-age / (4 * ms)) * Math.cos((2 * Math.PI * 900 * age) / editRateHz);
  };
  const points = played.map((at, index) => [at, grid[index]!] as const);
  const [output] = openAt([warp(...points)], 0, click).render(4300 * ms);
  const found = peaksOf(output, grid);
  for (const [beat, at] of found.entries())
    assert.ok(Math.abs(at - grid[beat]!) <= 2, `beat ${beat}: ${at} instead of ${grid[beat]}`);
});

test('a mono recording stays mono', () => {
  const rig = openAt([warp([0, 0], [5000, 4000]), transpose(2)], 300, (_stem, frame) =>
    ([220, 554, 1318] as const).reduce(
      (sum, hz) => sum + 0.2 * Math.sin((2 * Math.PI * hz * frame) / editRateHz),
      0,
    ),
  );
  const [left, right] = rig.render(1000 * ms);
  assert.deepEqual(left, right);
});

test('a reversed clip plays its samples backwards, and a cut of it the right part', () => {
  const noise = (_stem: StemType, frame: number) => Math.sin(frame * frame * 0.37);
  const [output] = openAt([reverse], 1000, noise).render(500 * ms);
  for (let n = 300; n < output.length; n += 7) {
    const expected = Math.fround(noise('drums', 6000 * ms - 1 - (1000 * ms + n)));
    assert.ok(Math.abs(output[n]! - expected) < 1e-6, `frame ${n}`);
  }
});

test('the samples of warped clips depend neither on the sizes of the blocks nor on faders that move meanwhile', () => {
  const edits = [warp([0, 0], [700, 800], [1500, 1400], [4000, 4100]), transpose(-3), reverse];
  const renderIn = (block: number) => openAt(edits, 200).render(1200 * ms, block);
  const whole = renderIn(1200 * ms);
  for (const block of [1, 77, 128]) assert.deepEqual(renderIn(block), whole, `blocks of ${block}`);
  const rig = openAt(edits, 200);
  const moved = [0, 1, 2, 3, 4, 5].flatMap((step) => {
    // The reverb is not audible: nothing is sent to it.
    rig.show(
      editedProject(stems, 6, [
        ...edits,
        { operation: 'reverb', params: { decay_s: 1 + step, damping: 0, pre_delay_ms: 0 } },
      ]),
    );
    return [...rig.render(200 * ms)[0]];
  });
  for (let n = 0; n < moved.length; n += 3)
    assert.ok(Math.abs(moved[n]! - whole[0][n]!) < 1e-6, `frame ${n}`);
});

test('waits for the samples that a stretched clip reads ahead', () => {
  const rig = openEditRig(editedProject(stems, 6, [reverse]), tone, { isLoaded: false });
  rig.mixer.apply({ type: 'play', id: 1 });
  rig.render(500);
  assert.equal(rig.mixer.transport, 'buffering');
});
