import type { Cue } from '@stem-studio/contract/resources/cue';

/** Number of detected cue points that are listed at first. */
const bestCount = 10;

/**
 * Returns the cue points that matter most, in their order: those of the user, and the ten detected ones of the best
 * rank.
 */
export function bestCues<T extends Pick<Cue, 'rank' | 'source' | 'is_promoted' | 'is_edited'>>(
  cues: readonly T[],
): readonly T[] {
  const isOwn = (cue: T) => cue.source === 'manual' || cue.is_promoted || cue.is_edited;
  const ranked = cues
    .filter((cue) => !isOwn(cue))
    .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY));
  const best = new Set(ranked.slice(0, bestCount));
  return cues.filter((cue) => isOwn(cue) || best.has(cue));
}
