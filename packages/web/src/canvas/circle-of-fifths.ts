import { pitchClasses } from '@stem-studio/contract/resources/track';

/** A key in the circle of fifths; `fifth` counts clockwise from C or A minor, 0 to 11. */
export interface CircleKey {
  fifth: number;
  isMinor: boolean;
  name: string;
  camelot: string;
}

/** Returns the index of a pitch class (0 to 11, C first) in the circle of fifths: C 0, G 1, D 2 … F 11. */
export function fifthOf(pitch: number): number {
  return (pitch * 7) % 12;
}

/** Returns the pitch class of a chord's or key's root (`F#m7` and `G♭m7` 6), or null for none (`N`). */
export function pitchClassOf(label: string): number | null {
  const [, letter = '', accidentals = ''] = /^([A-G])([#b♯♭]*)/.exec(label) ?? [];
  const natural = (pitchClasses as readonly string[]).indexOf(letter);
  if (natural < 0) return null;
  const count = (signs: RegExp) => accidentals.match(signs)?.length ?? 0;
  const sharps = count(/[#♯]/g) - count(/[b♭]/g);
  return (((natural + sharps) % 12) + 12) % 12;
}

/** The 24 keys: the major keys clockwise from C, then the minor keys of the inner ring from A. */
export const circleKeys: readonly CircleKey[] = [false, true].flatMap((isMinor) =>
  Array.from({ length: 12 }, (_, fifth) => {
    const pitch = (fifth * 7 + (isMinor ? 9 : 0)) % 12;
    return {
      fifth,
      isMinor,
      name: `${pitchClasses[pitch]} ${isMinor ? 'minor' : 'major'}`,
      camelot: `${((fifth + 7) % 12) + 1}${isMinor ? 'A' : 'B'}`,
    };
  }),
);

/** Returns the mean of each row of a chroma matrix, scaled to a maximum of 1; null for silence. */
export function meanChroma(chroma: readonly (readonly number[])[]): number[] | null {
  const means = chroma.map((row) => row.reduce((sum, value) => sum + value, 0) / Math.max(1, row.length));
  const most = Math.max(0, ...means);
  return means.length === 12 && most > 0 ? means.map((mean) => mean / most) : null;
}

/** Radii of the rings, in parts of the circle's radius. */
export const radii = { middle: 0.17, bars: 0.58, minor: 0.79, major: 1 } as const;

/**
 * Returns the index into {@link circleKeys} of the key at a point, or null outside of the circle and in its middle. `x` and
 * `y` (downwards) are measured from the middle in parts of the radius. Within the chroma bars it is the major key.
 */
export function circleKeyAt(x: number, y: number): number | null {
  const distance = Math.hypot(x, y);
  if (distance > radii.major || distance < radii.middle) return null;
  const revolutions = Math.atan2(x, -y) / (2 * Math.PI);
  const fifth = (Math.round(revolutions * 12) + 12) % 12;
  return distance > radii.bars && distance <= radii.minor ? fifth + 12 : fifth;
}
