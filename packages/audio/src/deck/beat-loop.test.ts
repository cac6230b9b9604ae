import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-position';
import * as fc from 'fast-check';
import { beatJumpTarget, quantizedSeconds } from './beat-jump.ts';
import { beatLoopAt, beatsOfLoop, loopFromTo, movedLoop, positionInLoop, scaledLoop } from './beat-loop.ts';
import { deckTiming } from './deck-timing.ts';

/** 120 bpm from 0.1 s on, one minute long. */
const steady = deckTiming(
  Array.from({ length: 119 }, (_, beat) => 0.1 + beat / 2),
  120,
  60,
);

/** Songs whose tempo drifts between 75 and 200 bpm. */
const drifting = fc
  .tuple(
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.array(fc.double({ min: 0.3, max: 0.8, noNaN: true }), { minLength: 40, maxLength: 200 }),
  )
  .map(([first, steps]) => {
    const beats = [first];
    for (const step of steps) beats.push((beats.at(-1) ?? 0) + step);
    return deckTiming(beats, 120, (beats.at(-1) ?? 0) + 0.5);
  });
const lengths = fc.constantFrom(1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

function close(got: number, wanted: number): void {
  assert.ok(Math.abs(got - wanted) < 1e-9, `${got} must be ${wanted}`);
}

describe('quantized position', () => {
  it('is on the nearest beat or beat fraction', () => {
    close(quantizedSeconds(10.3, steady), 10.1);
    close(quantizedSeconds(10.4, steady), 10.6);
    close(quantizedSeconds(10.3, steady, 1 / 4), 10.35);
  });

  it('stays inside the song', () => {
    const late = deckTiming([0.4, 0.9, 1.4], 120, 1.45);
    close(quantizedSeconds(0.05, late), 0.4);
    close(quantizedSeconds(1.45, late), 1.4);
  });

  it('is unchanged in a song without beats', () => {
    close(quantizedSeconds(10.3, deckTiming([], 120, 60)), 10.3);
  });
});

describe('beat jump', () => {
  it('keeps the beat phase', () => {
    close(beatJumpTarget(10.25, 4, steady), 12.25);
    close(beatJumpTarget(10.25, -1, steady), 9.75);
  });

  it('stays inside the song', () => {
    close(beatJumpTarget(1, -32, steady), 0);
    close(beatJumpTarget(59, 32, steady), 60);
  });

  it('uses the tempo in a song without beats, and 120 bpm without a tempo', () => {
    close(beatJumpTarget(10, 4, deckTiming([], 60, 60)), 14);
    close(beatJumpTarget(10, 4, deckTiming([], null, 60)), 12);
  });
});

describe('beat loop', () => {
  it('starts on the nearest beat when quantized, else at the position', () => {
    assert.deepEqual(beatLoopAt(10.3, 4, true, steady), { startSeconds: 10.1, endSeconds: 12.1 });
    const free = beatLoopAt(10.3, 4, false, steady);
    close(free?.startSeconds ?? 0, 10.3);
    close(free?.endSeconds ?? 0, 12.3);
  });

  it('starts on a beat fraction when it is shorter than a beat', () => {
    const loop = beatLoopAt(10.3, 1 / 8, true, steady);
    close(loop?.startSeconds ?? 0, 10.2875);
    close(loop?.endSeconds ?? 0, 10.35);
  });

  it('starts earlier near the end of the song, and is null in a song that is too short', () => {
    const loop = beatLoopAt(59.9, 4, true, steady);
    close(loop?.startSeconds ?? 0, 57.6);
    close(loop?.endSeconds ?? 0, 59.6);
    assert.equal(beatLoopAt(1, 64, true, deckTiming([0.1, 0.6], 120, 20)), null);
  });

  it('has whole beats on the grid inside the song when quantized, at any position', () => {
    fc.assert(
      fc.property(drifting, fraction, lengths, (timing, at, length) => {
        const loop = beatLoopAt(at * timing.durationSeconds, length, true, timing);
        if (!loop) return timing.beats.length < length + 2;
        const step = Math.min(1, length);
        const steps = beatAt(loop.startSeconds, timing.beats) / step;
        const wanted = secondsAtBeat(Math.round(steps) * step, timing.beats);
        const isOnGrid = Math.abs(wanted - loop.startSeconds) < 1e-3;
        const isWhole = Math.abs(beatsOfLoop(loop, timing) - length) < 1e-6;
        return isOnGrid && isWhole && loop.startSeconds >= 0 && loop.endSeconds <= timing.durationSeconds;
      }),
    );
  });

  it('is unchanged after doubling and halving, and stays inside the song', () => {
    fc.assert(
      fc.property(drifting, fraction, lengths, fc.boolean(), (timing, at, length, isQuantized) => {
        const loop = beatLoopAt(at * timing.durationSeconds, length, isQuantized, timing);
        if (!loop) return true;
        const double = scaledLoop(loop, 2, timing);
        if (double.endSeconds > timing.durationSeconds) return false;
        if (double === loop) return true;
        return Math.abs(scaledLoop(double, 1 / 2, timing).endSeconds - loop.endSeconds) < 1e-9;
      }),
    );
  });

  it('is at least a 32nd of a beat long', () => {
    const loop = { startSeconds: 10.1, endSeconds: 10.1 + 0.5 / 32 };
    assert.equal(scaledLoop(loop, 1 / 2, steady), loop);
  });

  it('moves by beats, and does not move where it does not fit', () => {
    const loop = { startSeconds: 10.1, endSeconds: 12.1 };
    const moved = movedLoop(loop, 4, steady);
    close(moved.startSeconds, 12.1);
    close(moved.endSeconds, 14.1);
    assert.equal(movedLoop(loop, -32, steady), loop);
  });

  it('spans two positions in either order, and is one beat long where they are equal', () => {
    assert.deepEqual(loopFromTo(12, 10, steady), { startSeconds: 10, endSeconds: 12 });
    const beat = loopFromTo(10.1, 10.1, steady);
    close(beat?.startSeconds ?? 0, 10.1);
    close(beat?.endSeconds ?? 0, 10.6);
  });

  it('wraps a position outside the loop by whole loop lengths', () => {
    const loop = { startSeconds: 10, endSeconds: 12 };
    close(positionInLoop(11, loop), 11);
    close(positionInLoop(15.5, loop), 11.5);
    close(positionInLoop(9.5, loop), 11.5);
    const short = { startSeconds: 0.25, endSeconds: 0.265 };
    close(positionInLoop(2.65, short), 0.25);
  });
});
