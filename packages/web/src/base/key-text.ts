import { pitchClasses } from '@stem-studio/contract/resources/track';

/** Letters on the line of fifths; `F` is one fifth below C. */
const LETTERS = ['F', 'C', 'G', 'D', 'A', 'E', 'B'];
/** Fewest flats or sharps win; where six flats meet six sharps, F♯ major and E♭ minor are the usual spelling. */
const MAX_SHARPS = { major: 6, minor: 5 } as const;

type Mode = keyof typeof MAX_SHARPS;

/** Returns the spelling of a position on the line of fifths, 0 for C: −2 is B♭, 6 is F♯. */
function spelled(fifths: number): string {
  const letter = LETTERS[(((fifths + 1) % 7) + 7) % 7] ?? '';
  const accidentals = Math.floor((fifths + 1) / 7);
  return letter + (accidentals < 0 ? '♭'.repeat(-accidentals) : '♯'.repeat(accidentals));
}

/** Returns the position of a pitch class on the line of fifths, within the twelve from `lowest`. */
function fifthsOf(pitchClass: number, lowest: number): number {
  return lowest + ((((pitchClass * 7 - lowest) % 12) + 12) % 12);
}

function parsed(key: string): { mode: Mode; signature: number } | null {
  const [tonic = '', mode = ''] = key.split(' ');
  const pitchClass = (pitchClasses as readonly string[]).indexOf(tonic);
  if (pitchClass < 0 || (mode !== 'major' && mode !== 'minor')) return null;
  const major = mode === 'minor' ? pitchClass + 3 : pitchClass;
  return { mode, signature: fifthsOf(major, MAX_SHARPS[mode] - 11) };
}

/** Returns a key as musicians spell it: `E♭ major` for `D# major`. An unknown text stays as it is. */
export function keyText(key: string): string {
  const found = parsed(key);
  return found ? `${spelled(found.signature + (found.mode === 'minor' ? 3 : 0))} ${found.mode}` : key;
}

/** Returns a key in short: `E♭` for `D# major`, `B♭m` for `A# minor`. */
export function shortKeyText(key: string): string {
  return keyText(key).replace(' major', '').replace(' minor', 'm');
}

/**
 * Returns a chord or pitch as musicians spell it in a key: `A#m7` is `B♭m7` in C minor. Without a key the fewest
 * accidentals win.
 *
 * @param label chord or pitch with sharps, such as `F#m` or `C/G#`
 * @param key key with sharps, such as `D# major`; empty if unknown
 */
export function pitchText(label: string, key: string): string {
  const found = parsed(key);
  // In minor the raised sixth and seventh belong to the key too.
  const lowest = (found?.signature ?? 0) - (found?.mode === 'minor' ? 3 : 5);
  return label.replace(/(^|\/)([A-G]#?)/g, (_, before: string, pitch: string) => {
    return before + spelled(fifthsOf((pitchClasses as readonly string[]).indexOf(pitch), lowest));
  });
}

/** Returns the colour of a Camelot code as a CSS value: neighbours on the wheel have similar colours. */
export function keyColor(camelot: string): string {
  const number = Number.parseInt(camelot, 10);
  // 8 is C major and A minor, the beginning of the circle of fifths.
  return Number.isNaN(number) ? 'inherit' : `var(--fifth-${(number + 4) % 12})`;
}
