import type { Passage } from './passages.ts';

/** What sections are called. */
export type SectionName = 'intro' | 'verse' | 'build' | 'drop' | 'chorus' | 'breakdown' | 'bridge' | 'outro';

/** From which intensity on a section is a peak of its track, or from which share of the most intense inner one. */
const PEAK = 0.75;
const PEAK_SHARE = 0.92;
/** How likely somebody must sing in a peak that is a chorus. */
const SUNG = 0.5;
/** Drums below this share of the busiest section's have stepped back. */
const FEW_DRUMS = 0.35;
/** How much busier its second half is in a build, which is no longer than so many bars. */
const RISING = 0.1;
const LONGEST_BUILD = 8;
/** A likeness under which a section is like none of the others. */
const UNLIKE = 0.2;
/** What an opening or an end stays below, where it is not the whole song. */
const EDGE_INTENSITY = 0.9;

/**
 * Names the sections of a track as a disc jockey does, by intensity, drums, voice, repetition and place:
 *
 * - the first is the intro and the last the outro, unless they are as intense as it gets;
 * - a peak is a chorus where somebody sings and a drop where not;
 * - what rises for at most eight bars up to a peak is a build;
 * - where the drums step back after the intro it is a breakdown;
 * - what is like no other section, in the second half, is a bridge;
 * - all else is a verse.
 *
 * These are conventions of popular music, not facts of the sound; there is no right answer for music beyond it.
 *
 * @see Butler, "Unlocking the groove: rhythm, meter, and musical design in electronic dance music", Indiana 2006
 * @see de Clercq, "Embracing ambiguity in the analysis of form in pop/rock music, 1982–1991", Music Theory Online 23, 2017
 */
export function nameSections(passages: readonly Passage[]): SectionName[] {
  const last = passages.length - 1;
  const inner = passages.slice(1, -1).map(({ intensity }) => intensity);
  const peak = inner.length > 1 ? Math.min(PEAK, PEAK_SHARE * Math.max(...inner)) : PEAK;
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
