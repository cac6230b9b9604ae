const tonics = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];

/**
 * The Camelot code of a key, such as `8A` for `A minor` and `8B` for its relative `C major`: neighbours on the wheel of
 * fifths have neighbouring numbers. The empty string for the empty string and for what is no key.
 *
 * Number = fifths above C of the (relative) major's tonic, counted from 8 around a wheel of 12.
 */
export function camelotOf(key: string): string {
  const [tonic = '', mode] = key.split(' ');
  const pitchClass = tonics.indexOf(tonic);
  if (pitchClass < 0 || (mode !== 'major' && mode !== 'minor')) return '';
  const major = mode === 'major' ? pitchClass : (pitchClass + 3) % 12;
  // Seven semitones a fifth: 7 is its own inverse modulo 12.
  const fifths = (major * 7) % 12;
  return `${((fifths + 7) % 12) + 1}${mode === 'major' ? 'B' : 'A'}`;
}
