/** One hit of a pattern: beat within the bar and strength, 0 to 1. */
export interface PatternHit {
  readonly beat: number;
  readonly velocity: number;
}

/**
 * Parses a bar of hits: one letter for each equal step of the bar, `.` for silence, `1` to `9` for soft to loud, `x`
 * for 8. Blanks are ignored.
 *
 * `hitsOf('x... x... x... x...', 4)` is four on the floor.
 *
 * @throws RangeError on any other letter
 */
export function hitsOf(pattern: string, beatsPerBar: number): PatternHit[] {
  const steps = pattern.replaceAll(' ', '').split('');
  return steps.flatMap((letter, index) => {
    if (letter === '.') return [];
    const strength = letter === 'x' ? 8 : Number(letter);
    if (!(strength >= 1 && strength <= 9)) {
      throw new RangeError(`a pattern must hold . x or 1 to 9 (got ${letter} in ${pattern})`);
    }
    return [{ beat: (index * beatsPerBar) / steps.length, velocity: strength / 9 }];
  });
}

/** One note of a melody. */
export interface LineNote {
  /** Beats from the beginning of the line. */
  readonly beat: number;
  readonly beats: number;
  /** A note name, for instance `F#4`. */
  readonly note: string;
  /** Syllable; empty in instrumental lines. */
  readonly syllable: string;
}

/**
 * Parses a melody: items separated by blanks, each `beats:note` or `beats:note:syllable`, and `beats:-` for a rest.
 * Bars may be separated by `|`, which is ignored.
 *
 * @throws RangeError if an item has no positive length
 */
export function lineOf(text: string): LineNote[] {
  const notes: LineNote[] = [];
  let beat = 0;
  for (const item of text.split(/[\s|]+/)) {
    if (item === '') continue;
    const [length = '', note = '-', syllable = ''] = item.split(':');
    const beats = Number(length);
    if (!(beats > 0)) throw new RangeError(`a note must have a positive length in beats (got ${item})`);
    if (note !== '-') notes.push({ beat, beats, note, syllable });
    beat += beats;
  }
  return notes;
}
