import type { Passage } from './passages.ts';

/** Names of sections. */
export type SectionName = 'intro' | 'verse' | 'build' | 'drop' | 'chorus' | 'breakdown' | 'bridge' | 'outro';

/** Least intensity of a peak, and its least fraction of the most intense inner section. */
const PEAK = 0.75;
const PEAK_FRACTION = 0.92;
/** Least probability of singing in a chorus. */
const SUNG = 0.5;
/** Largest fraction of the most drums that a breakdown may have. */
const FEW_DRUMS = 0.35;
/** Least rise of a build, and its largest length in bars. */
const RISING = 0.1;
const LONGEST_BUILD = 8;
/** Correlation below which a section is similar to no other. */
const UNLIKE = 0.2;
/** Intensity below which the first or last section is an intro or outro. */
const EDGE_INTENSITY = 0.9;

/**
 * Names the sections of a track as DJs do, by intensity, drums, vocals, repetition and position.
 *
 * - the first is the intro and the last the outro, unless they have the highest intensity;
 * - a peak is a chorus with vocals and a drop without;
 * - a rise of at most eight bars before a peak is a build;
 * - a section with few drums after the intro is a breakdown;
 * - a section in the second half that is similar to no other is a bridge;
 * - every other section is a verse.
 *
 * These are conventions of popular music; other music has no correct answer.
 *
 * @see Butler, "Unlocking the groove: rhythm, meter, and musical design in electronic dance music", Indiana 2006
 * @see de Clercq, "Embracing ambiguity in the analysis of form in pop/rock music, 1982–1991", Music Theory Online 23,
 *   2017
 */
export function nameSections(passages: readonly Passage[]): SectionName[] {
  const last = passages.length - 1;
  const inner = passages.slice(1, -1).map(({ intensity }) => intensity);
  const peak = inner.length > 1 ? Math.min(PEAK, PEAK_FRACTION * Math.max(...inner)) : PEAK;
  const isPeak = (passage: Passage | undefined): boolean =>
    passage !== undefined && passage.intensity >= peak;
  return passages.map((passage, index) => {
    if (last > 0 && index === 0 && passage.intensity < EDGE_INTENSITY) return 'intro';
    if (last > 0 && index === last && passage.intensity < EDGE_INTENSITY) return 'outro';
    const leadsUp = isPeak(passages[index + 1]) && passage.bars <= LONGEST_BUILD && passage.rise >= RISING;
    if (leadsUp && index > 0) return 'build';
    if (passage.drums < FEW_DRUMS && !isPeak(passage) && index > 0) return 'breakdown';
    if (isPeak(passage) && last > 0) return passage.voice >= SUNG ? 'chorus' : 'drop';
    return passage.repetition < UNLIKE && index > last / 2 ? 'bridge' : 'verse';
  });
}
