import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tempoCurve } from '../rhythm/tempo-curve.ts';
import { estimateDanceability, estimateValence } from './character.ts';

const house = { tempo: 120, pulseClarity: 1, isSteady: true, drumMean: 0.06, durationSeconds: 60 };
const song = { mode: 1, keyConfidence: 1, tempo: 180, rolloffHz: 7_000, durationSeconds: 60 } as const;

describe('the character of a track', () => {
  it('is as danceable as can be with a clear, steady, thumping pulse at 120 bpm', () => {
    assert.deepEqual(estimateDanceability(house), { value: 1, confidence: 1 });
    const slow = estimateDanceability({ ...house, tempo: 60, drumMean: 0 });
    assert.ok(Math.abs(slow.value - (0.6 + 0.2 * Math.exp(-0.5 / 0.36))) < 1e-9);
  });

  it('is not danceable at all without a pulse, and that for certain of nothing', () => {
    assert.deepEqual(estimateDanceability({ ...house, tempo: 0 }), { value: 0, confidence: 0 });
  });

  it('is glad in a fast bright major and sad in a slow dull minor, never more than half certain', () => {
    assert.deepEqual(estimateValence(song), { value: 1, confidence: 0.5 });
    const sad = estimateValence({ ...song, mode: -1, tempo: 60, rolloffHz: 0 });
    assert.ok(Math.abs(sad.value) < 1e-9);
  });

  it('says neither glad nor sad where there is neither key nor pulse', () => {
    assert.deepEqual(estimateValence({ ...song, mode: 0, tempo: 0 }), { value: 0.5, confidence: 0 });
  });
});

describe('the tempo over time', () => {
  it('is a point each four beats where it moves', () => {
    const beats = Array.from({ length: 21 }, (_, index) => (index < 12 ? 0.5 * index : 6 + (index - 12)));
    const curve = tempoCurve(beats, false);
    assert.deepEqual(curve[0], { time: 2, bpm: 120 });
    assert.deepEqual(curve.at(-1), { time: 10, bpm: 60 });
    assert.equal(curve.length, 4);
  });
  it('is empty where it stays, and for too few beats', () => {
    assert.deepEqual(tempoCurve([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], true), []);
    assert.deepEqual(tempoCurve([0, 1, 2], false), []);
  });
});
