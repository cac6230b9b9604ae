import { type Factor, multiplied, shiftedByBeats, tempoFactors, withDownbeatAt } from './grid-edits.ts';
import { type GridRule, timelineOf } from './grid-rule.ts';
import type { TapFit } from './tap-tempo.ts';

/** Largest relative difference between the tapped tempo and the multiple of the grid's that it stands for. */
const SAME_TEMPO = 0.04;
/** Largest distance, in beats, at which taps snap to a subdivision of the grid: people tap early, and devices late. */
const SAME_PHASE = 0.15;

/**
 * Returns the grid for taps, of which the first is a downbeat.
 *
 * Taps determine the metrical level and the phase; the tempo of eight taps is uncertain by half a percent, one second
 * after three minutes. If the current grid has a multiple of the tapped tempo, the result is that multiple, on the beat
 * or between as tapped; else an even grid of the tapped tempo.
 *
 * @param present current grid, null if there is none
 * @param detected detected beats that `present` refers to, in seconds, ascending
 */
export function tappedGrid(present: GridRule | null, detected: readonly number[], fit: TapFit): GridRule {
  const followed = present && atTappedLevel(present, detected, fit);
  if (!followed) {
    const timeSignature = present?.timeSignature ?? '4/4';
    return {
      kind: 'even',
      bpm: Math.round(fit.bpm * 100) / 100,
      downbeatSeconds: fit.firstSeconds,
      timeSignature,
    };
  }
  const { grid, factor } = followed;
  return withDownbeatAt(
    shiftedByBeats(grid, tappedPhase(grid, detected, fit, factor)),
    detected,
    fit.firstSeconds,
  );
}

/** Returns the multiple of a grid with the tapped tempo around the taps; null if there is none. */
function atTappedLevel(
  present: GridRule,
  detected: readonly number[],
  fit: TapFit,
): { grid: GridRule; factor: Factor } | null {
  const last = fit.kept.at(-1) ?? fit.firstSeconds;
  const tapped = (last - fit.firstSeconds) / fit.periodSeconds;
  const candidates = tempoFactors.map((factor) => {
    const grid = multiplied(present, factor);
    const { beatAt } = timelineOf(grid, detected);
    const off = Math.abs((beatAt(last) - beatAt(fit.firstSeconds)) / tapped - 1);
    return { grid, factor, off };
  });
  const [nearest] = candidates.toSorted((left, right) => left.off - right.off);
  return nearest && nearest.off <= SAME_TEMPO ? nearest : null;
}

/** Returns the phase of the taps in beats of `grid`, snapped to a nearby detected beat or the middle between two. */
function tappedPhase(
  grid: GridRule,
  detected: readonly number[],
  fit: TapFit,
  [numerator, denominator]: Factor,
): number {
  const { beatAt } = timelineOf(grid, detected);
  const angles = fit.kept.map((time) => 2 * Math.PI * beatAt(time));
  const sine = angles.reduce((sum, angle) => sum + Math.sin(angle), 0);
  const cosine = angles.reduce((sum, angle) => sum + Math.cos(angle), 0);
  const tapped = Math.atan2(sine, cosine) / (2 * Math.PI);
  const halfDetected = numerator / denominator / 2;
  const distances = Array.from({ length: 2 * denominator }, (_, index) => {
    const phase = index * halfDetected;
    return { phase, off: Math.abs(tapped - phase - Math.round(tapped - phase)) };
  });
  const [nearest] = distances.toSorted((left, right) => left.off - right.off);
  return nearest && nearest.off <= SAME_PHASE ? nearest.phase : tapped;
}
