import { type Factor, multiplied, shiftedByBeats, tempoFactors, withDownbeatAt } from './grid-edits.ts';
import { type GridRule, timelineOf } from './grid-rule.ts';
import type { TapFit } from './tap-tempo.ts';

/** Taps this near to a multiple of what was heard mean that multiple. */
const SAME_TEMPO = 0.04;
/** Taps this near to a place between heard beats, in beats, mean that place. People tap early, and devices late. */
const SAME_PHASE = 0.15;

/**
 * The grid that taps ask for, of which the first stands on a one. Hands tell the level and the phase and no more: eight
 * taps leave the tempo uncertain by half a percent, which is a second after three minutes. So where beats were heard at
 * a multiple of what is tapped, those are taken at that multiple, on the beat or between, whichever is tapped; only else
 * is the grid the taps' own, and even.
 *
 * @param present the grid as it is, null where there is none
 * @param heard what `present` follows, in seconds, ascending
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
    shiftedByBeats(grid, meantPhase(grid, detected, fit, factor)),
    detected,
    fit.firstSeconds,
  );
}

/** The multiple of a grid whose beats come as often as the taps where they were tapped; null where none does. */
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

/** How many beats after those of `grid` the taps are: on a heard beat or between two where they are near one. */
function meantPhase(
  grid: GridRule,
  detected: readonly number[],
  fit: TapFit,
  [numerator, denominator]: Factor,
): number {
  const { beatAt } = timelineOf(grid, detected);
  const turns = fit.kept.map((time) => 2 * Math.PI * beatAt(time));
  const sine = turns.reduce((sum, turn) => sum + Math.sin(turn), 0);
  const cosine = turns.reduce((sum, turn) => sum + Math.cos(turn), 0);
  const tapped = Math.atan2(sine, cosine) / (2 * Math.PI);
  const halfHeard = numerator / denominator / 2;
  const distances = Array.from({ length: 2 * denominator }, (_, index) => {
    const phase = index * halfHeard;
    return { phase, off: Math.abs(tapped - phase - Math.round(tapped - phase)) };
  });
  const [nearest] = distances.toSorted((left, right) => left.off - right.off);
  return nearest && nearest.off <= SAME_PHASE ? nearest.phase : tapped;
}
