import { pitchClasses } from '@stem-studio/contract/resources/track';

/** Semitones of the scales above the tonic. */
const steps = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] } as const;

/** Scale of a key. */
export interface Scale {
  /** Pitch class of the tonic, 0 for C. */
  readonly tonic: number;
  readonly pitchClasses: ReadonlySet<number>;
}

/** Returns the major or natural minor scale of a key with sharps, such as `D# major`; null for an unknown key. */
export function scaleOf(key: string): Scale | null {
  const [name = '', mode = ''] = key.split(' ');
  const tonic = (pitchClasses as readonly string[]).indexOf(name);
  if (tonic < 0 || (mode !== 'major' && mode !== 'minor')) return null;
  return { tonic, pitchClasses: new Set(steps[mode].map((step) => (tonic + step) % 12)) };
}
