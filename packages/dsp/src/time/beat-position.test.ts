import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { beatAt, secondsAtBeat } from './beat-position.ts';
import { firstFrom } from './first-from.ts';

/** Beats with a tempo that drifts between 30 and 300 bpm. */
const drifting = fc
  .tuple(
    fc.double({ min: -5, max: 20, noNaN: true }),
    fc.array(fc.double({ min: 0.2, max: 2, noNaN: true }), { minLength: 1, maxLength: 60 }),
  )
  .map(([first, steps]) =>
    steps.reduce<number[]>((beats, step) => [...beats, (beats.at(-1) ?? 0) + step], [first]),
  );

describe('beat position of a time', () => {
  it('is the beat index on each beat, and half-way between two beats', () => {
    const beats = [0.5, 1, 1.6, 2];
    beats.forEach((beat, index) => assert.equal(beatAt(beat, beats), index));
    assert.ok(Math.abs(beatAt(1.3, beats) - 1.5) < 1e-12);
  });

  it('extrapolates beyond both ends with the local tempo', () => {
    const slow = Array.from({ length: 20 }, (_, index) => 10 + index);
    const beats = [...slow, ...Array.from({ length: 20 }, (_, index) => 29.5 + 0.5 * index)];
    assert.ok(Math.abs(beatAt(7, beats) + 3) < 1e-9);
    assert.ok(Math.abs(secondsAtBeat(-10, beats)) < 1e-9);
    assert.ok(Math.abs(beatAt(41, beats) - 43) < 1e-9);
    assert.ok(Math.abs(secondsAtBeat(49, beats) - 44) < 1e-9);
  });

  it('is the inverse of the time of a beat position, at any time', () => {
    fc.assert(
      fc.property(drifting, fc.double({ min: -100, max: 200, noNaN: true }), (beats, value) => {
        const seconds = secondsAtBeat(beatAt(value, beats), beats);
        const position = beatAt(secondsAtBeat(value, beats), beats);
        return Math.abs(seconds - value) < 1e-8 && Math.abs(position - value) < 1e-8;
      }),
    );
  });

  it('increases monotonically with time', () => {
    const moment = fc.double({ min: -100, max: 200, noNaN: true });
    fc.assert(
      fc.property(drifting, moment, moment, (beats, one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        return beatAt(early, beats) <= beatAt(late, beats);
      }),
    );
  });

  it('is NaN without a tempo', () => {
    for (const beats of [[], [1]]) {
      assert.ok(Number.isNaN(beatAt(1, beats)));
      assert.ok(Number.isNaN(secondsAtBeat(1, beats)));
    }
  });
});

describe('first time from a position on', () => {
  it('matches a linear search', () => {
    const times = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(times, fc.integer({ min: -1, max: 31 }), (unsorted, seconds) => {
        const ascending = unsorted.toSorted((one, other) => one - other);
        const walked = ascending.findIndex((time) => time >= seconds);
        return firstFrom(ascending, seconds) === (walked < 0 ? ascending.length : walked);
      }),
    );
  });
});
