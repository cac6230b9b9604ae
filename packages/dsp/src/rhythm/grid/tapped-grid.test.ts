import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rhythmOf } from './grid-beats.ts';
import { multiplied, shiftedByBeats } from './grid-edits.ts';
import type { GridRule } from './grid-rule.ts';
import { fitTaps } from './tap-tempo.ts';
import { tappedGrid } from './tapped-grid.ts';

/** Deviation of each manual tap in seconds: early on average, varying by a few hundredths. */
const tapDeviations = [
  -0.031, -0.012, -0.044, -0.022, -0.038, -0.005, -0.029, -0.041, -0.018, -0.027, -0.009, -0.035,
];

function tapsOn(periodSeconds: number, firstSeconds: number, count = 12): number[] {
  return Array.from(
    { length: count },
    (_, index) => firstSeconds + index * periodSeconds + (tapDeviations[index % tapDeviations.length] ?? 0),
  );
}

/** Beats of a drummer around 100 bpm with a slowly varying tempo. */
const drifting: number[] = [];
for (let at = 0.2; at < 120; at += 0.6 + 0.02 * Math.sin(at / 9)) drifting.push(at);
const follows: GridRule = {
  kind: 'following',
  downbeatIndex: 0,
  step: 1,
  offsetSeconds: 0,
  timeSignature: '4/4',
};
const even: GridRule = { kind: 'even', bpm: 128, downbeatSeconds: 0.31, timeSignature: '4/4' };

/** Times are rounded to a tenth of a millisecond. */
function assertTimes(got: readonly number[], wanted: readonly number[], what: string): void {
  assert.equal(got.length, wanted.length, what);
  for (const [index, time] of wanted.entries())
    assert.ok(Math.abs((got[index] ?? -1) - time) < 1.01e-4, `${what}: ${got[index]} for ${time}`);
}

test('measures the tempo to half a percent despite a late, a double and a missing tap', () => {
  const clean = fitTaps(tapsOn(0.5, 30));
  assert.ok(clean && Math.abs(clean.bpm - 120) < 0.6, `got ${clean?.bpm}`);
  const taps = tapsOn(0.5, 30);
  const spoilt = [
    ...taps.slice(0, 4),
    ...taps.slice(5, 8),
    (taps[8] ?? 0) + 0.2,
    ...taps.slice(9),
    (taps[2] ?? 0) + 0.03,
  ];
  const fit = fitTaps(spoilt);
  assert.ok(fit && Math.abs(fit.bpm - 120) < 0.8, `got ${fit?.bpm}`);
  assert.ok(Math.abs(fit.firstSeconds - 30) < 0.05 && fit.spreadSeconds < 0.02);
  assert.ok(!fit.kept.includes((taps[8] ?? 0) + 0.2));
});

test('returns no fit for fewer than four regular taps', () => {
  assert.equal(fitTaps([]), null);
  assert.equal(fitTaps([1, 1.5, 2]), null);
  assert.equal(fitTaps([1, 1.01, 1.02, 1.03, 1.5]), null, 'they bounced');
  assert.equal(fitTaps([1, 2, Number.NaN, Number.POSITIVE_INFINITY, 3]), null);
});

test('takes a multiple of the detected tempo exactly and over the whole song', () => {
  for (const [detected, grid, period] of [
    [[], even, 60 / 128],
    [drifting, follows, 0.6],
  ] as const) {
    const song = rhythmOf(grid, detected, 119);
    for (const [times, factor] of [
      [1, [1, 1]],
      [2, [1, 2]],
      [0.5, [2, 1]],
    ] as const) {
      const from = song.beats[8] ?? 0;
      // One tap on every beat of the wanted grid.
      const wanted = rhythmOf(multiplied(grid, factor), detected, 119).beats.filter(
        (at) => at >= from - 0.01,
      );
      const taps = wanted.slice(0, 12).map((at, index) => at + (tapDeviations[index] ?? 0));
      const fit = fitTaps(taps);
      assert.ok(fit && Math.abs(fit.periodSeconds / (period * times) - 1) < 0.04);
      const tapped = rhythmOf(tappedGrid(grid, detected, fit), detected, 119);
      assertTimes(tapped.beats, rhythmOf(multiplied(grid, factor), detected, 119).beats, `${times}`);
      assert.ok(
        tapped.downbeats.some((at) => Math.abs(at - (wanted[0] ?? -1)) < 1.01e-4),
        'the first tap is a one',
      );
    }
  }
});

test('puts the beats between the detected ones for taps between them', () => {
  for (const [detected, grid] of [
    [[], even],
    [drifting, follows],
  ] as const) {
    const wanted = rhythmOf(shiftedByBeats(grid, 0.5), detected, 119);
    const fit = fitTaps(wanted.beats.slice(20, 32).map((at, index) => at + (tapDeviations[index] ?? 0)));
    assert.ok(fit);
    assertTimes(rhythmOf(tappedGrid(grid, detected, fit), detected, 119).beats, wanted.beats, grid.kind);
  }
});

test('makes an even grid for taps at no multiple of the detected tempo, or without detected beats', () => {
  const fit = fitTaps(tapsOn(60 / 111, 12));
  assert.ok(fit);
  for (const present of [even, null]) {
    const grid = tappedGrid(present, [], fit);
    assert.ok(grid.kind === 'even' && Math.abs(grid.bpm - 111) < 1);
    assert.equal(grid.downbeatSeconds, fit.firstSeconds);
    assert.equal(grid.bpm, Math.round(grid.bpm * 100) / 100);
  }
});
