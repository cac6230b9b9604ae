import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tempoCurve } from '../rhythm/tempo-curve.ts';
import { estimateDanceability, estimateValence } from './character.ts';

const danceTrack = { tempo: 120, pulseClarity: 1, isSteady: true, drumMean: 0.06, durationSeconds: 60 };
const song = { mode: 1, keyConfidence: 1, tempo: 180, rolloffHz: 7_000, durationSeconds: 60 } as const;

describe('character of a track', () => {
  it('has danceability 1 with a clear, steady, strong pulse at 120 bpm', () => {
    assert.deepEqual(estimateDanceability(danceTrack), { value: 1, confidence: 1 });
    const slow = estimateDanceability({ ...danceTrack, tempo: 60, drumMean: 0 });
    assert.ok(Math.abs(slow.value - (0.6 + 0.2 * Math.exp(-0.5 / 0.36))) < 1e-9);
  });

  it('has danceability 0 with confidence 0 without a pulse', () => {
    assert.deepEqual(estimateDanceability({ ...danceTrack, tempo: 0 }), { value: 0, confidence: 0 });
  });

  it('has high valence in fast bright major and low in slow dull minor, with a confidence of at most 0.5', () => {
    assert.deepEqual(estimateValence(song), { value: 1, confidence: 0.5 });
    const sad = estimateValence({ ...song, mode: -1, tempo: 60, rolloffHz: 0 });
    assert.ok(Math.abs(sad.value) < 1e-9);
  });

  it('has valence 0.5 with confidence 0 without key and pulse', () => {
    assert.deepEqual(estimateValence({ ...song, mode: 0, tempo: 0 }), { value: 0.5, confidence: 0 });
  });
});

describe('tempo curve', () => {
  it('has a point every four beats when the tempo varies', () => {
    const beats = Array.from({ length: 21 }, (_, index) => (index < 12 ? 0.5 * index : 6 + (index - 12)));
    const curve = tempoCurve(beats, false);
    assert.deepEqual(curve[0], { time: 2, bpm: 120 });
    assert.deepEqual(curve.at(-1), { time: 10, bpm: 60 });
    assert.equal(curve.length, 4);
  });
  it('is empty for a steady tempo and for too few beats', () => {
    assert.deepEqual(tempoCurve([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], true), []);
    assert.deepEqual(tempoCurve([0, 1, 2], false), []);
  });
});
