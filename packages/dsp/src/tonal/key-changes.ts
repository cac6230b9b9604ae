import { fitKeys } from './key.ts';

/** Span of a track in one key; times in seconds. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
  /** Key such as `A minor`. */
  readonly key: string;
}

/** Seconds between estimates of the key, and half the window of each. */
const STEP_SECONDS = 4;
const REACH_SECONDS = 8;
/** Cost of a change of key in units of correlation. */
const CHANGE_COST = 1.2;
/** Least duration of a key in seconds, and its least advantage over the main key in correlation. */
const LEAST_SECONDS = 16;
const LEAST_LEAD = 0.12;

/**
 * Finds changes of key by the best path through the 24 keys, with a cost per change.
 *
 * The path uses the chroma every four seconds. A span in another key counts only if it lasts sixteen seconds and fits
 * clearly better than the main key.
 *
 * @param chroma columns of twelve pitch classes
 * @param mainKey the key of the whole track; without it the result is empty
 * @returns keys from 0 to `durationSeconds` without gaps; only the main key if no change is certain
 * @see Chai and Vercoe, "Detection of key change in classical piano music", ISMIR 2005
 */
export function findKeyChanges(
  chroma: readonly Float32Array[],
  columnSeconds: number,
  mainKey: string,
  durationSeconds: number,
): KeySpan[] {
  if (mainKey === '') return [];
  const steps = Math.max(1, Math.floor(durationSeconds / STEP_SECONDS));
  const fits = Array.from({ length: steps }, (_, step) => {
    const centre = (step + 0.5) * STEP_SECONDS;
    const from = Math.max(0, Math.round((centre - REACH_SECONDS) / columnSeconds));
    return fitKeys(chroma.slice(from, Math.round((centre + REACH_SECONDS) / columnSeconds)));
  });
  const path = bestPath(fits.map((keys) => keys.map(({ fit }) => fit)));
  const names = fits[0]?.map(({ key }) => key) ?? [];
  const main = names.indexOf(mainKey);
  const spans: { first: number; end: number; state: number }[] = [];
  for (let step = 0; step < steps; ) {
    const state = path[step] ?? main;
    let end = step + 1;
    while (end < steps && path[end] === state) end++;
    const lead =
      fits.slice(step, end).reduce((sum, keys) => sum + leadOf(keys, state, main), 0) / (end - step);
    const isCertain = (end - step) * STEP_SECONDS >= LEAST_SECONDS && lead >= LEAST_LEAD;
    const certain = isCertain ? state : main;
    const last = spans.at(-1);
    if (last?.state === certain) last.end = end;
    else spans.push({ first: step, end, state: certain });
    step = end;
  }
  return spans.map(({ first, end, state }) => ({
    start: first * STEP_SECONDS,
    end: end === steps ? durationSeconds : end * STEP_SECONDS,
    key: names[state] ?? mainKey,
  }));
}

function leadOf(keys: readonly { fit: number }[], state: number, main: number): number {
  return (keys[state]?.fit ?? 0) - (keys[main]?.fit ?? 0);
}

function bestPath(fits: readonly (readonly number[])[]): number[] {
  const states = fits[0]?.length ?? 0;
  let score = new Float64Array(states);
  const origins: number[][] = [];
  for (const fit of fits) {
    const best = score.indexOf(Math.max(...score));
    const origin = Array.from(score, (value, state) =>
      value >= (score[best] ?? 0) - CHANGE_COST ? state : best,
    );
    score = score.map(
      (value, state) => Math.max(value, (score[best] ?? 0) - CHANGE_COST) + (fit[state] ?? 0),
    );
    origins.push(origin);
  }
  const path: number[] = [];
  let state = score.indexOf(Math.max(...score));
  for (let step = fits.length - 1; step >= 0; step--) {
    path.unshift(state);
    state = origins[step]?.[state] ?? state;
  }
  return path;
}
