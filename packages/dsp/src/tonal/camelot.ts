/** Names of the twelve pitch classes, C first, with sharps. */
export const PITCH_CLASSES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;

/** Major or minor. */
export type Mode = 'major' | 'minor';

/**
 * Returns the Camelot code of a key, its position on the circle of fifths: A minor is `8A`, C major `8B`; each fifth up
 * adds 1.
 *
 * @param tonic pitch class, 0 (C) to 11
 * @see https://mixedinkey.com/camelot-wheel/
 */
export function toCamelot(tonic: number, mode: Mode): string {
  // Seven semitones are one step; a minor key has the number of the major key three semitones up.
  const major = mode === 'major' ? tonic : tonic + 3;
  return `${((major * 7 + 7) % 12) + 1}${mode === 'major' ? 'B' : 'A'}`;
}

/** Returns the Camelot code of a key such as `A minor` (`8A`); empty for text that is no key. */
export function camelotOf(key: string): string {
  const [name = '', mode] = key.split(' ');
  const tonic = (PITCH_CLASSES as readonly string[]).indexOf(name);
  return tonic >= 0 && (mode === 'major' || mode === 'minor') ? toCamelot(tonic, mode) : '';
}

/** Returns the key of a Camelot code: `A minor` for 8 in the minor ring `A`. */
export function keyAt(number: number, ring: 'A' | 'B'): string {
  const major = ((number - 8) * 7 + 84) % 12;
  return ring === 'B' ? `${PITCH_CLASSES[major]} major` : `${PITCH_CLASSES[(major + 9) % 12]} minor`;
}
