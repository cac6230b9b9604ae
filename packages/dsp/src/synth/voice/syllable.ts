import { type ConsonantStage, consonants, type Vowel, vowels } from './phones.ts';

/** Phones of a sung syllable: those before the beat, the held vowels, and those at the end. */
export interface Syllable {
  readonly onset: readonly ConsonantStage[];
  readonly vowels: readonly Vowel[];
  readonly coda: readonly ConsonantStage[];
}

/**
 * Parses a syllable in the letters of `phones.ts`: consonants, one or two vowels, consonants (`laIt`, `hoUm`).
 *
 * @throws RangeError on an unknown letter, without a vowel, and on consonants between vowels
 */
export function parseSyllable(spelling: string): Syllable {
  const onset: ConsonantStage[] = [];
  const held: Vowel[] = [];
  const coda: ConsonantStage[] = [];
  for (const letter of spelling) {
    const vowel = vowels[letter];
    const consonant = consonants[letter];
    if (vowel && coda.length === 0) held.push(vowel);
    else if (consonant) (held.length === 0 ? onset : coda).push(...consonant);
    else
      throw new RangeError(
        `a syllable must be consonants, vowels, consonants (got ${letter} in ${spelling})`,
      );
  }
  if (held.length === 0) throw new RangeError(`a syllable must have a vowel (got ${spelling})`);
  return { onset, vowels: held, coda };
}
