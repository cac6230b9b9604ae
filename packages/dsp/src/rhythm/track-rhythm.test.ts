import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadFft } from '../transform/fft.ts';
import { createBeatNetworkKernel, loadBeatNetwork } from './beat-network.ts';
import { decodeRhythm } from './decoded-rhythm.ts';
import { ONSET_SAMPLE_RATE } from './onset-envelope.ts';
import { createOnsetKernel } from './onset-strength.ts';
import type { Rhythm } from './rhythm.ts';
import { rhythmEvidence } from './rhythm-evidence.ts';
import { rhythmWeights } from './rhythm-weights.ts';
import { trackRhythm } from './track-rhythm.ts';

const RATE = ONSET_SAMPLE_RATE;

type RhythmOf = (samples: Float32Array, chromaAt?: (from: number, to: number) => Float32Array) => Rhythm;

const trackedRhythmOf: RhythmOf = (samples, chromaAt) => {
  const kernel = createOnsetKernel();
  kernel.push(samples);
  const onsets = kernel.finish();
  kernel.dispose();
  return trackRhythm(onsets, samples.length / RATE, chromaAt);
};

/** Returns the rhythm as the analysis finds it. */
const decodedRhythmOf: RhythmOf = (samples, chromaAt = () => new Float32Array(12)) => {
  const [onset, network] = [createOnsetKernel(), createBeatNetworkKernel()] as const;
  onset.push(samples);
  network.push(samples);
  const evidence = rhythmEvidence(onset.finish(), network.finish(), samples.length / RATE, chromaAt);
  onset.dispose();
  network.dispose();
  return decodeRhythm(evidence, rhythmWeights);
};

/** Adds a decaying tone, or noise where `hz` is 0. */
function strike(
  samples: Float32Array,
  seconds: number,
  hz: number,
  level: number,
  decaySeconds: number,
): void {
  const start = Math.round(seconds * RATE);
  let state = start + 1;
  for (let at = 0; at < 5 * decaySeconds * RATE; at++) {
    if (start + at >= samples.length) return;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const wave = hz === 0 ? state / 2 ** 31 - 1 : Math.sin((2 * Math.PI * hz * at) / RATE);
    samples[start + at] = (samples[start + at] ?? 0) + level * wave * Math.exp(-at / RATE / decaySeconds);
  }
}

function clicks(times: readonly number[], durationSeconds: number): Float32Array {
  const samples = new Float32Array(Math.round(durationSeconds * RATE));
  for (const time of times) strike(samples, time, 1500, 0.8, 0.005);
  return samples;
}

function every(periodSeconds: number, fromSeconds: number, toSeconds: number): number[] {
  return Array.from(
    { length: Math.ceil((toSeconds - fromSeconds) / periodSeconds) },
    (_, index) => fromSeconds + index * periodSeconds,
  );
}

for (const [what, rhythmOf] of [
  ['tracked rhythm', trackedRhythmOf],
  ['decoded rhythm', decodedRhythmOf],
] as const)
  describe(`${what} of a track`, () => {
    before(() => Promise.all([loadFft(), loadBeatNetwork()]));

    for (const bpm of [60, 75, 90, 101.5, 120, 128, 140, 160, 174]) {
      it(`finds the tempo of clicks at ${bpm} bpm within 0.2 %, and beats within 20 ms of the clicks`, () => {
        const times = every(60 / bpm, 0.2, 20);
        const rhythm = rhythmOf(clicks(times, 20));
        assert.ok(Math.abs(rhythm.bpm - bpm) < 0.002 * bpm, `${rhythm.bpm} bpm`);
        assert.ok(rhythm.confidence > 0.8 && rhythm.isStable);
        assert.ok(Math.abs(rhythm.beats.length - times.length) <= 1);
        for (const beat of rhythm.beats) {
          const error = Math.min(...times.map((time) => Math.abs(time - beat)));
          assert.ok(error < 0.02, `a beat at ${beat} is ${error} s off`);
        }
      });
    }

    it('puts beats on the bass drum with louder chords and hi-hats between the beats', () => {
      const samples = new Float32Array(24 * RATE);
      const beats = every(0.5, 0, 24.5);
      for (const time of beats) {
        strike(samples, time, 55, 0.9, 0.06);
        for (const hz of [440, 554, 659]) strike(samples, time + 0.25, hz, 0.25, 0.08);
        strike(samples, time + 0.25, 0, 0.2, 0.03);
      }
      const rhythm = rhythmOf(samples);
      assert.ok(Math.abs(rhythm.bpm - 120) < 0.5, `${rhythm.bpm} bpm`);
      for (const beat of rhythm.beats) {
        assert.ok(Math.min(...beats.map((time) => Math.abs(time - beat))) < 0.05, `a beat at ${beat}`);
      }
    });

    it('puts beats on chord changes with a bass drum between the beats', () => {
      const samples = new Float32Array(30 * RATE);
      const beats = every(0.5, 0, 30.5);
      for (const time of beats) {
        strike(samples, time, 440, 0.3, 0.08);
        strike(samples, time + 0.25, 55, 0.9, 0.06);
      }
      /** Returns chroma with one note per beat, a fifth above the one before. */
      const chromaAt = (from: number, to: number): Float32Array => {
        const chroma = new Float32Array(12);
        for (let time = from; time < to; time += 0.01) {
          const pitch = (7 * Math.max(0, Math.floor(time / 0.5))) % 12;
          chroma[pitch] = (chroma[pitch] ?? 0) + 1;
        }
        return chroma;
      };
      const isOnBeat = (beat: number): boolean => beats.some((time) => Math.abs(time - beat) < 0.05);
      assert.ok(!rhythmOf(samples).beats.some(isOnBeat), 'the drum alone says otherwise');
      const rhythm = rhythmOf(samples, chromaAt);
      assert.ok(rhythm.beats.length > 55 && rhythm.beats.every(isOnBeat), rhythm.beats.slice(0, 5).join(' '));
    });

    it('has a lower confidence when another metrical level is also plausible', () => {
      const clear = rhythmOf(clicks(every(0.5, 0.2, 30), 30));
      const unequal = new Float32Array(30 * RATE);
      every(0.3, 0.2, 30).forEach((time, index) =>
        strike(unequal, time, 0, index % 2 === 0 ? 0.5 : 0.3, 0.02),
      );
      const doubtful = rhythmOf(unequal);
      assert.ok(clear.confidence > doubtful.confidence + 0.05, `${clear.confidence}, ${doubtful.confidence}`);
      assert.ok(doubtful.confidence >= 0.5, `${doubtful.confidence}`);
    });

    it('follows a tempo that drifts from 110 to 122 bpm, and reports it as not stable', () => {
      const times: number[] = [];
      for (let time = 0.2; time < 40; time += 60 / (110 + (12 * time) / 40)) times.push(time);
      const rhythm = rhythmOf(clicks(times, 40));
      const met = times.filter((time) => rhythm.beats.some((beat) => Math.abs(beat - time) < 0.05));
      assert.ok(met.length > 0.95 * times.length, `${met.length} of ${times.length} clicks were met`);
      assert.equal(rhythm.isStable, false);
    });

    for (const beatsPerBar of [3, 4] as const) {
      it(`finds bars of ${beatsPerBar} beats that start on the bass drum`, () => {
        const samples = new Float32Array(30 * RATE);
        every(0.5, 0.3, 30).forEach((time, index) => {
          strike(samples, time, 1200, 0.4, 0.01);
          if (index % beatsPerBar === 1) strike(samples, time, 60, 0.9, 0.08);
        });
        const rhythm = rhythmOf(samples);
        assert.equal(rhythm.beatsPerBar, beatsPerBar);
        for (const downbeat of rhythm.downbeats) {
          const bars = (downbeat - 0.8) / (0.5 * beatsPerBar);
          assert.ok(Math.abs(bars - Math.round(bars)) < 0.05, `a downbeat at ${downbeat}`);
        }
      });
    }

    it('detects 6/8, with two beats per bar, when each beat is divided in three', () => {
      const samples = new Float32Array(30 * RATE);
      every(0.9, 0.3, 30).forEach((time, index) => {
        strike(samples, time, index % 2 === 0 ? 60 : 190, 0.9, 0.06);
        for (const part of [0, 0.3, 0.6]) strike(samples, time + part, 0, 0.3, 0.02);
      });
      const rhythm = rhythmOf(samples);
      assert.equal(rhythm.timeSignature, '6/8');
      assert.equal(rhythm.beatsPerBar, 2);
      assert.ok(Math.abs(rhythm.bpm - 60 / 0.9) < 0.3, `${rhythm.bpm} bpm`);
      for (const downbeat of rhythm.downbeats) {
        const bars = (downbeat - 0.3) / 1.8;
        assert.ok(Math.abs(bars - Math.round(bars)) < 0.05, `a downbeat at ${downbeat}`);
      }
    });

    it('finds the tempo of a slow song rather than that of its eighth notes', () => {
      const samples = new Float32Array(40 * RATE);
      every(60 / 140, 0.2, 40).forEach((time, index) => {
        strike(samples, time, 0, 0.15, 0.02);
        if (index % 4 === 0) strike(samples, time, 55, 0.9, 0.08);
        if (index % 4 === 2) strike(samples, time, 330, 0.6, 0.08);
      });
      const rhythm = rhythmOf(samples);
      assert.ok(Math.abs(rhythm.bpm - 70) < 0.3, `${rhythm.bpm} bpm`);
    });

    it('detects 4/4 in identical clicks', () => {
      for (const bpm of [90, 120, 150]) {
        assert.equal(rhythmOf(clicks(every(60 / bpm, 0.2, 31), 31)).timeSignature, '4/4');
      }
    });

    it('finds no pulse in silence, one click, noise, held tones or empty input', () => {
      let state = 7;
      const noise = Float32Array.from({ length: 10 * RATE }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32 - 0.5;
      });
      const chord = Float32Array.from({ length: 10 * RATE }, (_, n) => {
        return [220, 277, 330].reduce((sum, hz) => sum + 0.1 * Math.sin((2 * Math.PI * hz * n) / RATE), 0);
      });
      const make = (wave: (seconds: number) => number): Float32Array =>
        Float32Array.from({ length: 20 * RATE }, (_, n) => wave(n / RATE));
      // Tones whose roughness, beating or vibrato repeats to the sample, without any onset.
      const tones = [
        make((time) => 0.5 * Math.sin(2 * Math.PI * 1000 * time)),
        make((time) => 0.2 * Math.sin(2 * Math.PI * 50 * time) + 0.1 * Math.sin(2 * Math.PI * 150 * time)),
        make((time) => 0.3 * Math.sin(2 * Math.PI * 440 * time) + 0.3 * Math.sin(2 * Math.PI * 442 * time)),
        make(
          (time) => 0.5 * Math.sin(2 * Math.PI * 440 * time) * (1 + 0.5 * Math.sin(2 * Math.PI * 5 * time)),
        ),
        make((time) => 0.5 * Math.sin(2 * Math.PI * (50 * time + 200 * time * time))),
      ];
      const silence = new Float32Array(5 * RATE);
      for (const samples of [silence, clicks([2], 5), noise, chord, new Float32Array(0), ...tones]) {
        const rhythm = rhythmOf(samples);
        assert.deepEqual([rhythm.bpm, rhythm.confidence, rhythm.beats, rhythm.beatsPerBar], [0, 0, [], 0]);
      }
    });
  });
