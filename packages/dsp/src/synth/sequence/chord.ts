import { pitchClassNames } from '../pitch.ts';

/** Semitones above the root by chord quality. */
const QUALITIES: Readonly<Record<string, readonly number[]>> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  '7': [0, 4, 7, 10],
  maj7: [0, 4, 7, 11],
  m7: [0, 3, 7, 10],
  add9: [0, 4, 7, 14],
  m9: [0, 3, 7, 10, 14],
  sus4: [0, 5, 7],
  '7sus4': [0, 5, 7, 10],
};

/** A chord and its tones. */
export interface Chord {
  /** The label as spelled, for instance `F#maj7`. */
  readonly label: string;
  /** Pitch class of the root, 0 to 11. */
  readonly root: number;
  /** Pitch classes of all tones, root first. */
  readonly tones: readonly number[];
}

/**
 * Parses a chord: a root spelled with sharps and a quality (none, `m`, `7`, `maj7`, `m7`, `add9`, `m9`, `sus4`,
 * `7sus4`).
 *
 * @throws RangeError if root or quality are unknown
 */
export function parseChord(label: string): Chord {
  const match = /^([A-G]#?)(.*)$/.exec(label);
  const root = match ? pitchClassNames.findIndex((name) => name === match[1]) : -1;
  const semitones = match ? QUALITIES[match[2]!] : undefined;
  if (root < 0 || !semitones) throw new RangeError(`a chord must be like Am7 or F#maj7 (got ${label})`);
  return { label, root, tones: semitones.map((semitone) => (root + semitone) % 12) };
}

/**
 * Returns the tones as MIDI numbers within an octave and a half above `lowest`, ascending. This inversion keeps the
 * movement between successive chords small.
 */
export function voiceChord(chord: Chord, lowest: number): number[] {
  return chord.tones
    .map((tone) => lowest + ((((tone - lowest) % 12) + 12) % 12))
    .sort((one, other) => one - other);
}

/** Returns the root as the lowest MIDI number at or above `lowest`. */
export function rootAbove(chord: Chord, lowest: number): number {
  return lowest + ((((chord.root - lowest) % 12) + 12) % 12);
}
