import { pitchClasses } from '@stem-studio/contract/resources/track';

/** A key in the circle: its place counted in fifths from C (or A minor), clockwise. */
export interface CircleKey {
  fifth: number;
  isMinor: boolean;
  name: string;
  camelot: string;
}

/** Place of a pitch class (0 to 11, C first) in the circle of fifths: C 0, G 1, D 2 … F 11. */
export function fifthOf(pitch: number): number {
  return (pitch * 7) % 12;
}

const flats: Readonly<Record<string, string>> = { Db: 'C#', Eb: 'D#', Gb: 'F#', Ab: 'G#', Bb: 'A#' };

/** The pitch class that a chord or key is named after (`F#m7` 6), or null for one without (`N`). */
export function pitchClassOf(label: string): number | null {
  const tonic = /^[A-G][#b]?/.exec(label)?.[0] ?? '';
  const index = (pitchClasses as readonly string[]).indexOf(flats[tonic] ?? tonic);
  return index < 0 ? null : index;
}

/** The 24 keys: the major ones clockwise from C, then the minor ones from A, which stand inside of them. */
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

/** The mean of each row of a chroma matrix, the largest 1; null where there is no sound. */
export function meanChroma(chroma: readonly (readonly number[])[]): number[] | null {
  const means = chroma.map((row) => row.reduce((sum, value) => sum + value, 0) / Math.max(1, row.length));
  const most = Math.max(0, ...means);
  return means.length === 12 && most > 0 ? means.map((mean) => mean / most) : null;
}

/** Radii of the circle, in parts of its own. */
export const radii = { middle: 0.17, bars: 0.58, minor: 0.79, major: 1 } as const;

/**
 * Index into {@link circleKeys} of the field at a place, which is given from the middle in parts of the circle's
 * radius, y downwards; among the wedges, the major key above. Null outside and in the middle.
 */
export function circleKeyAt(x: number, y: number): number | null {
  const distance = Math.hypot(x, y);
  if (distance > radii.major || distance < radii.middle) return null;
  const turn = Math.atan2(x, -y) / (2 * Math.PI);
  const fifth = (Math.round(turn * 12) + 12) % 12;
  return distance > radii.bars && distance <= radii.minor ? fifth + 12 : fifth;
}
