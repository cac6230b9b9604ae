import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createTrackAnalyzer, loadAnalysis } from './analyze.ts';
import type { FeatureName, TrackAnalysis } from './track-analysis.ts';

const RATE = 44_100;

function analyze(
  samples: Float32Array,
  options: { features?: FeatureName[]; block?: number; sampleRate?: number } = {},
): TrackAnalysis {
  const { features = ['all'], block = 4096, sampleRate = RATE } = options;
  const analyzer = createTrackAnalyzer({ sampleRate, channels: 2, features });
  for (let at = 0; at < samples.length; at += block) {
    const part = samples.subarray(at, at + block);
    analyzer.push([part, part]);
  }
  return analyzer.finish();
}

/** A bass drum on each beat of 120 bpm under a minor chord. */
const song = Float32Array.from({ length: 12 * RATE }, (_, n) => {
  const time = n / RATE;
  const beat = time % 0.5;
  const chord = [220, 261.63, 329.63].reduce((sum, hz) => sum + 0.08 * Math.sin(2 * Math.PI * hz * time), 0);
  return chord + 0.6 * Math.exp(-20 * beat) * Math.sin(2 * Math.PI * 60 * beat);
});

function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout);
}

describe('track analysis', () => {
  before(() => loadAnalysis());

  it('finds tempo, key, energy and timbre of a simple song', () => {
    const found = analyze(song);
    assert.ok(Math.abs((found.tempo ?? 0) - 120) < 0.3, `${found.tempo} bpm`);
    assert.equal(found.key, 'A minor');
    assert.equal(found.camelot, '8A');
    assert.equal(found.time_signature, '4/4');
    assert.ok((found.energy ?? 0) > 0.2 && (found.energy ?? 2) < 1);
    assert.equal(found.duration_seconds, 12);
    assert.equal(found.spectral_contrast?.length, 7);
    const columns = 1 + Math.floor((12 * 22_050) / 2048);
    assert.deepEqual(
      found.features.mfcc?.map((row) => row.length),
      Array(13).fill(columns),
    );
    assert.deepEqual(
      found.features.chroma?.map((row) => row.length),
      Array(12).fill(columns),
    );
    assert.deepEqual(
      found.features.spectral_contrast?.map((row) => row.length),
      Array(7).fill(columns),
    );
    const { spectral_centroid, spectral_rolloff, spectral_bandwidth, zero_crossing_rate } = found.features;
    for (const curve of [spectral_centroid, spectral_rolloff, spectral_bandwidth, zero_crossing_rate])
      assert.equal(curve?.length, columns);
    assert.equal(found.features.frame_seconds, 2048 / 22_050);
    found.beats?.forEach((beat, index) => {
      assert.equal(found.beat_frames?.[index], Math.round((beat * 22_050) / 512));
    });
  });

  it('returns chords and sections without gaps, and one energy value per second', () => {
    const found = analyze(song);
    assert.deepEqual([...new Set(found.chords?.map(({ label }) => label))], ['Am']);
    assert.deepEqual(found.keys, [{ start: 0, end: 12, key: 'A minor' }]);
    for (const spans of [found.chords ?? [], found.sections ?? []]) {
      assert.equal(spans[0]?.start, 0);
      assert.equal(spans.at(-1)?.end, 12);
      spans.slice(1).forEach((span, index) => assert.equal(span.start, spans[index]?.end));
    }
    assert.equal(found.energy_curve?.length, 12);
    assert.equal(found.vocal_curve?.length, 12);
    assert.equal(found.vocal_presence, 0);
    assert.deepEqual(found.tempo_curve, []);
    assert.ok((found.danceability ?? 0) > 0.5 && (found.danceability_confidence ?? 0) > 0.2);
    assert.ok((found.valence ?? 1) < 0.5, 'a minor key does not sound glad');
  });

  it('reports increasing progress up to 1 while it finishes', () => {
    const analyzer = createTrackAnalyzer({ sampleRate: RATE, channels: 1, features: ['all'] });
    analyzer.push([song.subarray(0, 3 * RATE)]);
    const reported: number[] = [];
    analyzer.finish((fraction) => reported.push(fraction));
    assert.deepEqual(
      reported.toSorted((left, right) => left - right),
      reported,
    );
    assert.equal(reported.at(-1), 1);
  });

  it('does not depend on the block size', () => {
    assert.deepEqual(analyze(song, { block: 1_000 }), analyze(song, { block: 100_000 }));
  });

  it('returns only the requested features', () => {
    const names = (features: FeatureName[]): string[] => Object.keys(analyze(song, { features })).sort();
    const always = ['duration_seconds', 'features'];
    const key = ['camelot', 'chords', 'key', 'key_confidence', 'keys'];
    assert.deepEqual(names(['key']), [...always, ...key].sort());
    const voice = ['vocal_curve', 'vocal_presence'];
    const energy = [...voice, 'energy', 'energy_curve', 'loudness_lufs', 'true_peak_db'];
    const character = ['danceability', 'danceability_confidence', 'valence', 'valence_confidence'];
    assert.deepEqual(names(['energy']), [...always, ...energy, ...character].sort());
    const tempo = [
      'tempo',
      'tempo_confidence',
      'tempo_stable',
      'tempo_curve',
      'time_signature',
      'rhythm_alternatives',
    ];
    const positions = [...voice, 'beat_frames', 'beats', 'downbeats', 'sections'];
    assert.deepEqual(names(['tempo']), [...always, ...tempo, ...positions].sort());
    assert.deepEqual(Object.keys(analyze(song, { features: ['chroma'] }).features), [
      'chroma',
      'frame_seconds',
    ]);
    const curves = ['spectral_centroid', 'spectral_rolloff', 'spectral_bandwidth', 'zero_crossing_rate'];
    assert.deepEqual(Object.keys(analyze(song, { features: ['spectral'] }).features), [
      'spectral_contrast',
      ...curves,
      'frame_seconds',
    ]);
    assert.deepEqual(analyze(song, { features: ['energy'] }).features, {});
  });

  it('rejects an empty feature list and a channel count of 0', () => {
    assert.throws(() => createTrackAnalyzer({ sampleRate: RATE, channels: 2, features: [] }), /at least one/);
    assert.throws(
      () => createTrackAnalyzer({ sampleRate: RATE, channels: 0, features: ['all'] }),
      /\(got 0\)/,
    );
  });

  it('returns finite empty results for silence, empty input, constants and invalid samples', () => {
    const inputs = {
      silence: new Float32Array(3 * RATE),
      nothing: new Float32Array(0),
      'one sample': Float32Array.of(0.5),
      'a constant': new Float32Array(3 * RATE).fill(0.7),
      'not a number': new Float32Array(3 * RATE).fill(Number.NaN),
      infinity: new Float32Array(3 * RATE).fill(Number.POSITIVE_INFINITY),
      'one click': Float32Array.from({ length: 3 * RATE }, (_, n) => (n === RATE ? 1 : 0)),
      'absurd numbers': Float32Array.from({ length: RATE }, (_, n) => (n % 2 === 0 ? 3e38 : -3e38)),
    };
    for (const [name, samples] of Object.entries(inputs)) {
      const found = analyze(samples);
      assert.ok(isFiniteThroughout(found), name);
      assert.deepEqual(
        [found.tempo, found.tempo_confidence, found.key, found.key_confidence, found.camelot, found.beats],
        [0, 0, '', 0, '', []],
        name,
      );
      assert.deepEqual(
        [...new Set(found.chords?.map(({ label }) => label))],
        found.duration_seconds > 0 ? ['N'] : [],
        name,
      );
    }
  });

  it('finds no tempo, key or chord and only one section in 30 s of tones or noise', () => {
    let state = 7;
    const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
    let brown = 0;
    const waves: Record<string, (time: number) => number> = {
      'a pure tone': (time) => 0.5 * Math.sin(2 * Math.PI * 1000 * time),
      'the hum of the mains': (time) =>
        0.2 * Math.sin(2 * Math.PI * 50 * time) + 0.1 * Math.sin(2 * Math.PI * 150 * time),
      'white noise': () => 0.5 * random(),
      'brown noise': () => (brown = 0.998 * brown + 0.05 * random()),
      'the noise of the last bit': () => random() / 32_768,
    };
    for (const [name, wave] of Object.entries(waves)) {
      const found = analyze(
        Float32Array.from({ length: 30 * RATE }, (_, n) => wave(n / RATE)),
        { features: ['tempo', 'key'] },
      );
      const labels = (found.chords ?? []).map(({ label }) => label);
      assert.deepEqual(
        [
          found.tempo,
          found.tempo_confidence,
          found.beats,
          found.key,
          found.key_confidence,
          found.keys,
          labels,
          found.sections?.length,
        ],
        [0, 0, [], '', 0, [], ['N'], 1],
        name,
      );
    }
  });

  it('finds the same tempo and key at another sample rate', () => {
    const half = song.filter((_, index) => index % 2 === 0);
    const found = analyze(half, { sampleRate: 22_050 });
    assert.equal(found.key, 'A minor');
    assert.ok(Math.abs((found.tempo ?? 0) - 120) < 0.3);
  });
});
