import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { fadeGain } from '../gain/fade-curve.ts';
import { editedProject, editRateHz, openEditRig } from '../testing/edit-rig.ts';

const ms = editRateHz / 1000;
const fadeFrames = 5 * ms;
const stems: readonly StemType[] = ['vocals', 'drums'];

/** A tone whose samples identify frame and stem. */
const tone = (stem: StemType, frame: number): number =>
  0.4 * Math.sin((2 * Math.PI * (stem === 'vocals' ? 220 : 330) * frame) / editRateHz);
const sumOf = (frame: number) => Math.fround(tone('vocals', frame)) + Math.fround(tone('drums', frame));

/** Renders edits of four seconds of both stems from their beginning, without a fade-in of the transport. */
function render(edits: readonly Edit[], milliseconds: number, sampleOf = tone): Float32Array {
  const rig = openEditRig(editedProject(stems, 4, edits), sampleOf);
  rig.mixer.apply({ type: 'play', id: 1, isImmediate: true });
  return rig.render(milliseconds * ms)[0];
}

/** Largest difference of neighbouring samples. */
function steepest(samples: Float32Array): number {
  let most = 0;
  for (let n = 1; n < samples.length; n++) most = Math.max(most, Math.abs(samples[n]! - samples[n - 1]!));
  return most;
}

function assertNear(found: number | undefined, expected: number, what: string, tolerance = 1e-6): void {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) <= tolerance, `${what}: ${found}, not ${expected}`);
}

test('a project without operations plays the sum of its stems, sample by sample', () => {
  const output = render([], 4000);
  for (let n = 0; n < output.length; n++) assertNear(output[n], sumOf(n), `frame ${n}`, 1e-7);
});

test('splits alone change no sample, also after the parts were moved together', () => {
  const split = (start_ms: number): Edit => ({ operation: 'split', params: { start_ms } });
  assert.deepEqual(render([333, 1001, 2718].map(split), 4000), render([], 4000));
  const paste: Edit[] = [
    { operation: 'copy', params: { start_ms: 0, end_ms: 2000 } },
    { operation: 'paste', params: { to_ms: 1337 } },
  ];
  assert.deepEqual(render([...paste, split(1999), split(2500)], 3900), render(paste, 3900));
});

test('a cut leaves silence with ends that fade in five milliseconds, and the other lane as it is', () => {
  const output = render(
    [{ operation: 'cut', params: { start_ms: 1000, end_ms: 2000, stem_type: 'vocals' } }],
    4000,
  );
  for (let n = 0; n < output.length; n++) {
    const at = n / ms;
    const isFading = (at >= 995 && at < 1000) || (at >= 2000 && at < 2005);
    if (!isFading) assertNear(output[n], at < 1000 || at >= 2000 ? sumOf(n) : tone('drums', n), `frame ${n}`);
  }
  assert.ok(steepest(output) < 1.5 * steepest(render([], 4000)), 'no click');
});

test('each fade curve follows its formula', () => {
  for (const curve of ['linear', 'equal_power', 'exponential', 's_curve'] as const) {
    const output = render(
      [{ operation: 'fade_in', params: { start_ms: 0, end_ms: 1000, curve } }],
      1500,
      () => 0.25,
    );
    for (const at of [0, 100, 500, 900, 999.5])
      assertNear(
        output[at * ms],
        0.5 * fadeGain(curve, (at * ms + 0.5) / (1000 * ms)),
        `${curve}, ${at} ms`,
        1e-6,
      );
    assertNear(output[1200 * ms], 0.5, `${curve}, after the fade`);
  }
});

test('clips that overlap are crossfaded: with equal power, or linearly where they play the same', () => {
  const moveBy = (to_ms: number): Edit[] => [
    { operation: 'split', params: { start_ms: 2000, stem_type: 'vocals' } },
    { operation: 'move', params: { clip_ids: ['edit-0.1'], to_ms } },
  ];
  const state = editedProject(stems, 4, moveBy(1500));
  assert.equal(state.lanes[0]?.clips.length, 2, JSON.stringify(state.lanes[0]));
  const output = render(moveBy(1500), 3000, (stem) => (stem === 'vocals' ? 0.5 : 0));
  for (const at of [1500, 1750, 1999]) {
    const x = ((at - 1500) * ms + 0.5) / (500 * ms);
    assertNear(
      output[at * ms],
      0.5 * (Math.sin((Math.PI / 2) * x) + Math.cos((Math.PI / 2) * x)),
      `${at} ms`,
      1e-6,
    );
  }
  assertNear(output[1000 * ms], 0.5, 'before');
  assertNear(output[2500 * ms], 0.5, 'after');
});

test('volume, pan, mute and solo act on their lane, and a change of gain within a lane does not click', () => {
  const constant = (stem: StemType) => (stem === 'vocals' ? 0.5 : 0.1);
  const at = (edits: readonly Edit[], channel: 0 | 1 = 0): number => {
    const rig = openEditRig(editedProject(stems, 4, edits), constant);
    rig.mixer.apply({ type: 'play', id: 1, isImmediate: true });
    return rig.render(100 * ms)[channel][50 * ms]!;
  };
  assertNear(
    at([{ operation: 'volume', params: { value: 200, stem_type: 'vocals' } }]),
    1.1,
    'double volume',
    1e-6,
  );
  const left: Edit = { operation: 'pan', params: { value: -100, stem_type: 'vocals' } };
  assertNear(at([left], 0), 0.5 * Math.SQRT2 + 0.1, 'left of a lane on the left');
  assertNear(at([left], 1), 0.1, 'right of a lane on the left');
  assertNear(at([{ operation: 'mute', params: { value: 1, stem_type: 'vocals' } }]), 0.1, 'muted');
  assertNear(at([{ operation: 'solo', params: { value: 1, stem_type: 'vocals' } }]), 0.5, 'soloed');
  const output = render(
    [{ operation: 'volume', params: { value: 50, start_ms: 1000, end_ms: 2000, stem_type: 'vocals' } }],
    3000,
    constant,
  );
  assertNear(output[1500 * ms], 0.35, 'inside of the span');
  assertNear(output[2500 * ms], 0.6, 'after the span');
  assert.ok(steepest(output) < (0.25 * Math.PI) / fadeFrames, `${steepest(output)}`);
});

test('a loop lasts exactly its length, and its boundary does not click', () => {
  const rig = openEditRig(editedProject(stems, 4), tone);
  rig.mixer.apply({ type: 'loop', loop: { startFrame: 1000 * ms, endFrame: 1500 * ms } });
  rig.mixer.apply({ type: 'seek', frame: 1000 * ms, id: 1 });
  rig.mixer.apply({ type: 'play', id: 2, isImmediate: true });
  const [output] = rig.render(2000 * ms);
  for (const round of [1, 2, 3])
    for (const at of [10, 250, 490])
      assertNear(output[(500 * round + at) * ms], sumOf((1000 + at) * ms), `round ${round}, ${at} ms`);
  assert.ok(steepest(output) < 1.5 * steepest(render([], 4000)), 'no click');
});

test('starts, stops, jumps and changes of the arrangement while it plays do not click', () => {
  const rig = openEditRig(editedProject(stems, 4), tone);
  const parts = [rig.render(100)];
  const step = (frames: number) => parts.push(rig.render(frames));
  rig.mixer.apply({ type: 'play', id: 1 });
  step(3000);
  rig.mixer.apply({ type: 'seek', frame: 77_777, id: 2 });
  step(3000);
  rig.show(editedProject(stems, 4, [{ operation: 'mute', params: { value: 1, stem_type: 'drums' } }]));
  step(100);
  rig.show(editedProject(stems, 4, [{ operation: 'pan', params: { value: -100, stem_type: 'drums' } }]));
  step(3000);
  for (const frame of [1000, 50_000, 20_000]) {
    rig.mixer.apply({ type: 'seek', frame, id: 3 });
    assert.equal(rig.mixer.frame, frame);
    step(50);
  }
  step(3000);
  rig.mixer.apply({ type: 'pause', id: 4 });
  step(1000);
  const output = Float32Array.from(parts.flatMap(([left]) => [...left]));
  assert.ok(steepest(output) < 2 * steepest(render([], 4000)), `${steepest(output)}`);
  assert.equal(rig.mixer.transport, 'paused');
  assert.ok(output.subarray(-500).every((sample) => sample === 0));
});

test('an edit elsewhere changes no sample of what plays', () => {
  const play = (changes: boolean) => {
    const rig = openEditRig(editedProject(stems, 4), tone);
    rig.mixer.apply({ type: 'play', id: 1 });
    const before = rig.render(5000)[0];
    if (changes)
      rig.show(editedProject(stems, 4, [{ operation: 'delete', params: { start_ms: 3000, end_ms: 4000 } }]));
    return [...before, ...rig.render(5000)[0]];
  };
  const [one, other] = [play(false), play(true)];
  for (const [n, sample] of one.entries()) assertNear(other[n], sample, `frame ${n}`, 1e-7);
});

test('the samples do not depend on the sizes of the blocks', () => {
  const edits: Edit[] = [
    { operation: 'cut', params: { start_ms: 500, end_ms: 900 } },
    { operation: 'paste', params: { to_ms: 1234 } },
    { operation: 'fade_out', params: { start_ms: 1500, end_ms: 1900, curve: 'exponential' } },
  ];
  const renderIn = (block: number) => {
    const rig = openEditRig(editedProject(stems, 4, edits), tone);
    rig.mixer.apply({ type: 'play', id: 1 });
    return rig.render(2000 * ms, block);
  };
  const whole = renderIn(2000 * ms);
  for (const block of [1, 100, 128, 1024]) assert.deepEqual(renderIn(block), whole, `blocks of ${block}`);
});

test('waits for samples, and ends after the last clip', () => {
  const rig = openEditRig(editedProject(stems, 4), tone, { isLoaded: false });
  rig.mixer.apply({ type: 'play', id: 1 });
  assert.ok(rig.render(500)[0].every((sample) => sample === 0));
  assert.equal(rig.mixer.transport, 'buffering');
  assert.equal(rig.mixer.frame, 0);
  const empty = openEditRig(
    editedProject(stems, 4, [{ operation: 'trim', params: { start_ms: 0, end_ms: 1000 } }]),
    tone,
  );
  empty.mixer.apply({ type: 'play', id: 1 });
  empty.render(1500 * ms);
  assert.equal(empty.mixer.transport, 'ended');
  assert.equal(empty.mixer.frame, 1000 * ms);
});
