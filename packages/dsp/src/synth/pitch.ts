/** Names of the twelve pitch classes, C first, spelled with sharps. */
export const pitchClassNames = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;

/**
 * Returns the MIDI number of a note name: `A4` is 69, `F#3` is 54.
 *
 * @throws RangeError when the name is not a letter A to G, an optional `#` and an octave
 */
export function midiOf(name: string): number {
  const match = /^([A-G]#?)(-?\d)$/.exec(name);
  const pitchClass = match ? pitchClassNames.findIndex((candidate) => candidate === match[1]) : -1;
  if (!match || pitchClass < 0) throw new RangeError(`a note must be like A4 or F#3 (got ${name})`);
  return (Number(match[2]) + 1) * 12 + pitchClass;
}

/**
 * Returns the frequency in Hz of a MIDI number (fractions allowed), in equal temperament with A4 = 440 Hz.
 *
 * @see ISO 16:1975
 */
export function frequencyOf(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}

/** Returns the name of a MIDI number, spelled with sharps: 69 is `A4`. */
export function nameOf(midi: number): string {
  return `${pitchClassNames[((midi % 12) + 12) % 12]}${Math.floor(midi / 12) - 1}`;
}
