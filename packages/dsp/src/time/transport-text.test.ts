import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { musicalPosition, musicalText } from './musical-position.ts';
import { smpteText } from './smpte.ts';

describe('SMPTE timecode', () => {
  it('counts 30 frames per second, non-drop', () => {
    assert.equal(smpteText(0), '00:00:00:00');
    assert.equal(smpteText(1 / 30), '00:00:00:01');
    assert.equal(smpteText(59.99), '00:00:59:29');
    assert.equal(smpteText(60), '00:01:00:00');
    assert.equal(smpteText(3_661.5), '01:01:01:15');
    assert.equal(smpteText(-1), '-00:00:01:00');
    assert.equal(smpteText(Number.NaN), '--:--:--:--');
  });

  it('shows the frame that starts at each frame boundary', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * 36_000 }), (frame) => {
        const [hours = 0, minutes = 0, seconds = 0, frames = 0] = smpteText(frame / 30)
          .split(':')
          .map(Number);
        return ((hours * 60 + minutes) * 60 + seconds) * 30 + frames === frame;
      }),
    );
  });
});

describe('position in bars, beats and ticks', () => {
  const beats = Array.from({ length: 16 }, (_, index) => 2 + 0.5 * index);
  const downbeats = beats.filter((_, index) => index % 4 === 1);
  const text = (seconds: number): string => musicalText(musicalPosition(seconds, beats, downbeats, 4));

  it('is 1.1.000 on the first downbeat', () => {
    assert.equal(text(2.5), '1.1.000');
  });

  it('counts beats from 1, with 960 ticks per beat', () => {
    assert.equal(text(3), '1.2.000');
    assert.equal(text(3.25), '1.2.480');
    assert.equal(text(3.499_999), '1.2.959');
    assert.equal(text(4.5), '2.1.000');
  });

  it('continues before the first and after the last beat', () => {
    assert.equal(text(2), '0.4.000');
    assert.equal(text(0), '-1.4.000');
    assert.equal(text(0.5), '0.1.000');
    assert.equal(text(9.5), '4.3.000');
    assert.equal(text(10.5), '5.1.000');
    assert.equal(text(10.75), '5.1.480');
  });

  it('starts bars at the detected downbeats', () => {
    const position = (seconds: number) => musicalText(musicalPosition(seconds, beats, [2, 4.5, 6], 4));
    assert.equal(position(4), '1.5.000');
    assert.equal(position(4.5), '2.1.000');
    assert.equal(position(6), '3.1.000');
    assert.equal(position(8), '4.1.000');
  });

  it('uses the first beat as a downbeat when none was detected', () => {
    assert.equal(musicalText(musicalPosition(4, beats, [], 4)), '2.1.000');
  });

  it('is unknown without beats', () => {
    assert.equal(musicalPosition(1, [], [], 4), null);
    assert.equal(musicalText(null), '-.-.---');
  });

  it('never decreases with increasing time', () => {
    const ordinal = (seconds: number): number => {
      const position = musicalPosition(seconds, beats, downbeats, 4);
      assert.ok(position && position.beat >= 1 && position.beat <= 4);
      assert.ok(position.tick >= 0 && position.tick < 960);
      return (position.bar * 4 + position.beat) * 960 + position.tick;
    };
    const moment = fc.double({ min: -20, max: 40, noNaN: true });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        assert.ok(ordinal(Math.min(one, other)) <= ordinal(Math.max(one, other)));
      }),
    );
  });

  it('is n.1.000 on every downbeat of a drifting grid', () => {
    const drifting = Array.from({ length: 64 }, (_, index) => 0.3 + 0.5 * index + 0.04 * Math.sin(index / 5));
    const downbeats = drifting.filter((_, index) => index % 3 === 0);
    downbeats.forEach((one, bar) => {
      assert.equal(musicalText(musicalPosition(one, drifting, downbeats, 3)), `${bar + 1}.1.000`);
    });
  });
});
