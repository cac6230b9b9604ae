import { pitchClasses } from './resources/track.ts';

/** Key by name: letter, accidental and mode, such as `Am`, `F#`, `Bb minor`. */
const named = /^([a-g])([#♯b♭]?)\s*(m|min|minor|maj|major)?$/i;
/** Key by wheel position: Camelot (`8A` minor, `8B` major) or Open Key (`1m`, `1d`). */
const wheelCode = /^(1[0-2]|[1-9])([abdm])$/i;

const keyOf = (tonic: number, isMinor: boolean) =>
  `${pitchClasses[(tonic + 12) % 12]} ${isMinor ? 'minor' : 'major'}`;

/**
 * Parses a musical key and returns it in canonical form (`A minor`, `A# major`), or null. Accepts names with sharps
 * or flats (`Am`, `a min`, `Bb`, `C major`; without a mode it is major, and `m` alone is minor unless it is a
 * capital) and wheel positions in Camelot (`8A`) or Open Key (`1m`) notation.
 *
 * @see https://mixedinkey.com/camelot-wheel/
 */
export function parseKey(text: string): string | null {
  const wheelPosition = wheelCode.exec(text.trim());
  if (wheelPosition) {
    const [, number = '', letter = ''] = wheelPosition;
    const ring = letter.toLowerCase();
    // 8B and 1d are C major; each step is a fifth.
    const steps = Number(number) - (ring === 'a' || ring === 'b' ? 8 : 1);
    const isMinor = ring === 'a' || ring === 'm';
    return keyOf((((steps * 7) % 12) + 12 + (isMinor ? 9 : 0)) % 12, isMinor);
  }
  const name = named.exec(text.trim());
  if (!name) return null;
  const [, letter = '', accidental = '', mode = ''] = name;
  const natural = (pitchClasses as readonly string[]).indexOf(letter.toUpperCase());
  const shift = accidental === '' ? 0 : /[#♯]/.test(accidental) ? 1 : -1;
  const isMinor = mode !== 'M' && /^m(in|inor)?$/i.test(mode);
  return keyOf(natural + shift, isMinor);
}
