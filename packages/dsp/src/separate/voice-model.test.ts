import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binCount, binHz } from './stereo-spectrogram.ts';
import { fitVoiceModel } from './voice-model.ts';
import { modelledBins } from './voice-shape.ts';

/** Lines of one bin and its neighbours at the multiples of a pitch, up to 4 kHz. */
function addHarmonics(frame: Float32Array, hz: number, level: number): void {
  for (let harmonic = hz; harmonic < 4000; harmonic += hz) {
    const k = Math.round(harmonic / binHz);
    for (const [at, part] of [
      [k - 1, 0.5],
      [k, 1],
      [k + 1, 0.5],
    ] as const) {
      frame[at] = (frame[at] as number) + (level * part * hz) / harmonic;
    }
  }
}

test('a gliding voice is separated from a held chord: 80 % of its power, under 10 % of that of the chord', () => {
  const frames = 80;
  const magnitude = new Float32Array(frames * binCount);
  const background = new Float32Array(frames * binCount);
  const pitchHz = Float64Array.from({ length: frames }, (_, t) => 230 * 2 ** (t / frames));
  for (let t = 0; t < frames; t++) {
    const frame = magnitude.subarray(t * binCount, (t + 1) * binCount);
    addHarmonics(frame, pitchHz[t] as number, 1);
    for (const hz of [196, 246.9, 293.7]) {
      addHarmonics(frame, hz, 0.5);
      addHarmonics(background.subarray(t * binCount, (t + 1) * binCount), hz, 0.5);
    }
  }
  const mask = fitVoiceModel(magnitude, background, pitchHz);
  let [sung, sungKept, played, playedTaken] = [0, 0, 0, 0];
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < modelledBins; k++) {
      const chord = (background[t * binCount + k] as number) ** 2;
      const voice = ((magnitude[t * binCount + k] as number) - Math.sqrt(chord)) ** 2;
      const taken = mask[t * modelledBins + k] as number;
      sung += voice;
      sungKept += voice * taken;
      played += chord;
      playedTaken += chord * taken;
    }
  }
  assert.ok(sungKept / sung > 0.8, `${sungKept / sung} of the voice`);
  assert.ok(playedTaken / played < 0.1, `${playedTaken / played} of the chord`);
});

test('silence gives masks from 0 to 1', () => {
  const silence = new Float32Array(6 * binCount);
  const mask = fitVoiceModel(silence, silence, new Float64Array(6).fill(220));
  assert.ok(mask.every((value) => value >= 0 && value <= 1));
});
