import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNewAnalysis, rhythmIn, storedAnalysis } from './stored-analysis.ts';

/** Result of the first version: no sections, chords, keys, curves, character or true peak. */
const first = {
  duration_seconds: 12,
  tempo: 120,
  tempo_confidence: 0.8,
  tempo_stable: true,
  time_signature: '4/4',
  beat_frames: [0, 22],
  beats: [0, 0.5],
  downbeats: [0],
  key: 'A minor',
  key_confidence: 0.7,
  camelot: '8A',
  energy: 0.5,
  loudness_lufs: -14,
  spectral_centroid: 1500,
  features: { mfcc: [[1, 2]], chroma: [[0, 1]], frame_seconds: 0.09 },
};

/** Fields of later versions. */
const later = {
  ...first,
  tempo_curve: [{ time: 1, bpm: 120 }],
  sections: [{ start: 0, end: 12, label: 'verse' }],
  keys: [{ start: 0, end: 12, key: 'A minor' }],
  chords: [{ start: 0, end: 12, label: 'Am' }],
  energy_curve: [0.5],
  true_peak_db: -1,
  danceability: 0.6,
  danceability_confidence: 0.5,
  valence: 0.4,
  valence_confidence: 0.2,
  vocal_presence: 0,
  vocal_curve: [0],
  spectral_rolloff: 5000,
  spectral_bandwidth: 1200,
  spectral_contrast: [1, 2, 3, 4, 5, 6, 7],
  zero_crossing_rate: 0.1,
};

/** Parses a stored analysis that must be readable. */
function parse(stored: unknown) {
  const parsed = storedAnalysis.parse(stored);
  assert.ok(parsed.kind === 'readable');
  return parsed.value;
}

/** Returns a value after a JSON round trip, without undefined fields. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('reads rows of every version with all of their fields', () => {
  for (const stored of [first, later, { duration_seconds: 1, features: {} }, {}])
    assert.deepEqual(sent(parse(stored)), stored);
});

test('accepts a new result with all of its fields', () => {
  assert.deepEqual(parseNewAnalysis(later), later);
});

test('a stored field of another type counts as not detected and leaves the others', () => {
  const stored = { ...later, tempo_curve: 'none', keys: [{ start: 0, end: 12, label: 'A minor' }] };
  const { tempo_curve: _curve, keys: _keys, ...others } = later;
  assert.deepEqual(sent(parse(stored)), others);
});

test('absent rhythm fields mean that no pulse was detected', () => {
  assert.deepEqual(rhythmIn({ beats: [1, 2], tempo: 60 }), {
    tempo: 60,
    tempo_confidence: 0,
    tempo_stable: false,
    tempo_curve: [],
    time_signature: '',
    beat_frames: [],
    beats: [1, 2],
    downbeats: [],
  });
});

test('rejects a new result with a field that the schema lacks', () => {
  assert.throws(() => parseNewAnalysis({ ...later, swing: 0.2 }), /swing/);
  assert.throws(() => parseNewAnalysis({ ...later, features: { flux: [1] } }), /flux/);
});
