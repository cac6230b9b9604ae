import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createLoudnessMeter } from '@stem-studio/dsp/feature/loudness';
import { editedProject, editRateHz, openEditRig } from '../testing/edit-rig.ts';

const ms = editRateHz / 1000;
const stems: readonly StemType[] = ['vocals', 'drums'];
const db = (factor: number) => 20 * Math.log10(factor);
const toneOf = (hz: number, gain: number) => (stem: StemType, frame: number) =>
  stem === 'vocals' ? gain * Math.sin((2 * Math.PI * hz * frame) / editRateHz) : 0;

function render(
  edits: readonly Edit[],
  milliseconds: number,
  sampleOf: (stem: StemType, frame: number) => number,
) {
  const rig = openEditRig(editedProject(stems, 4, edits), sampleOf);
  rig.mixer.apply({ type: 'play', id: 1, isImmediate: true });
  const [output] = rig.render(milliseconds * ms);
  return { rig, output };
}
const peak = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const tailPeak = (samples: Float32Array, milliseconds: number) =>
  peak(samples.subarray(samples.length - milliseconds * ms));

test('the equaliser of a lane changes its band by the set gain, and the lowest value removes it', () => {
  const eq = (params: object): Edit => ({ operation: 'eq', params: { stem_type: 'vocals', ...params } });
  for (const [hz, band] of [
    [60, 'low_db'],
    [800, 'mid_db'],
    [9000, 'high_db'],
  ] as const) {
    const levelAt = (value: number) => {
      const { output } = render([eq({ [band]: value })], 1000, toneOf(hz, 0.1));
      return db(tailPeak(output, 300) / 0.1);
    };
    assert.ok(Math.abs(levelAt(6) - 6) < 0.6, `${band} +6: ${levelAt(6)}`);
    assert.ok(Math.abs(levelAt(-12) + 12) < 0.8, `${band} −12: ${levelAt(-12)}`);
    assert.ok(levelAt(-24) < -22, `${band} removed: ${levelAt(-24)}`);
  }
});

test('a lane with a flat equaliser, no compressor and no send passes samples unchanged', () => {
  const sampleOf = toneOf(440, 0.3);
  const { output } = render([{ operation: 'eq', params: { low_db: 0 } }], 500, sampleOf);
  for (let n = 0; n < output.length; n++) assert.equal(output[n], Math.fround(sampleOf('vocals', n)));
});

const compressor = (more: object = {}): Edit => ({
  operation: 'compressor',
  params: {
    stem_type: 'vocals',
    value: { threshold_db: -20, ratio: 4, attack_ms: 5, release_ms: 300, makeup_db: 0, ...more },
  },
});

test('the compressor follows its curve: 1 dB for each 4 dB above the threshold', () => {
  // At 4 kHz the envelope falls little between two peaks.
  for (const [input, expected] of [
    [-32, -32],
    [-12, -18],
    [-4, -16],
  ] as const) {
    const { output } = render([compressor()], 1500, toneOf(4000, 10 ** (input / 20)));
    const level = db(tailPeak(output, 300));
    assert.ok(Math.abs(level - expected) < 0.8, `${input} dB: ${level}, not ${expected}`);
  }
});

test('the compressor lets an attack pass, reaches 63 % of its reduction in the attack time, and reports it', () => {
  const step = (stem: StemType, frame: number) => (stem === 'vocals' && frame >= 500 * ms ? 0.5 : 0);
  const { output, rig } = render([compressor({ attack_ms: 20 })], 1000, step);
  const full = 0.75 * (db(0.5) + 20);
  const reductionAt = (after: number) => -db(output[(500 + after) * ms]! / 0.5);
  assert.ok(reductionAt(0) < 0.1);
  assert.ok(Math.abs(reductionAt(20) / full - 0.63) < 0.03, `${reductionAt(20) / full}`);
  assert.ok(Math.abs((rig.mixer.reductionsDb()[0] ?? 0) + full) < 0.1);
});

test('the reverb has the set decay and rings on after the last clip; the other lane is not sent to it', () => {
  const click = (stem: StemType, frame: number) => (stem === 'vocals' && frame === 3990 * ms ? 1 : 0);
  const edits = (value: number): Edit[] => [
    { operation: 'reverb', params: { decay_s: 1, damping: 0, pre_delay_ms: 0 } },
    { operation: 'reverb_send', params: { stem_type: 'vocals', value } },
  ];
  const { output, rig } = render(edits(100), 6000, click);
  assert.equal(rig.mixer.transport, 'ended');
  const energy = (from: number) => {
    const part = output.subarray(from * ms, (from + 200) * ms);
    return 10 * Math.log10(part.reduce((sum, sample) => sum + sample * sample, 0));
  };
  const slope = (energy(4200) - energy(4800)) / 0.6;
  assert.ok(Math.abs(slope - 60) < 8, `${slope} dB a second`);
  assert.equal(tailPeak(render(edits(0), 6000, click).output, 1900), 0, 'nothing without a send');
});

test('the loudness of what plays agrees with that of the file', () => {
  let seed = 1;
  const noise = Float32Array.from({ length: 4 * editRateHz }, (_, n) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (n < 2 * editRateHz ? 0.05 : 0.3) * (seed / 2 ** 31 - 1);
  });
  const { rig } = render([], 4000, (stem, frame) => (stem === 'drums' ? noise[frame]! : 0));
  const meter = createLoudnessMeter({ sampleRate: editRateHz, channels: 2 });
  meter.push([noise, noise]);
  const { integrated, shortTerm } = rig.mixer.loudness();
  assert.ok(Math.abs(integrated - meter.finish()) < 0.15, `${integrated}`);
  assert.ok(shortTerm < integrated && shortTerm > integrated - 3, `${shortTerm} of the last three seconds`);
});
