import { type GuitarTone, renderGuitar } from '../instrument/guitar.ts';
import { nameOf } from '../pitch.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import { parseChord, rootAbove, voiceChord } from '../sequence/chord.ts';
import type { PlacedChord } from '../sequence/form.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { playLine, recordNotes, type Voice } from '../sequence/players.ts';

const pickedTone: GuitarTone = {
  pickPosition: 0.19,
  brightHz: 5200,
  softness: 0.34,
  ringSeconds: 3.6,
  body: 1,
};
const strummedTone: GuitarTone = {
  pickPosition: 0.13,
  brightHz: 7500,
  softness: 0.27,
  ringSeconds: 2.6,
  body: 0.7,
};

/** With a capo on the third fret the lowest string is a G. */
const LOWEST = 43;
/** Time between the strings of a strum in eighths: 11 ms. */
const STRING_APART = 0.036;

/** A strum: position in the bar, length, strength and direction. */
type StrumStep = readonly [eighth: number, eighths: number, gain: number, isUp: boolean];
const STRUMS: readonly StrumStep[] = [
  [0, 2, 1, false],
  [2, 1, 0.5, true],
  [3, 1, 0.85, false],
  [4, 1, 0.55, true],
  [5, 1, 0.6, false],
];

const isChorus = (bar: number): boolean => (bar >= 12 && bar < 20) || (bar >= 32 && bar < 40);

/**
 * Creates the guitars: one picked with the fingers throughout, two strummed in the choruses, a melody at the beginning
 * and end.
 */
export function swallowSeasonGuitars(grid: Grid, chords: readonly PlacedChord[]): Part[] {
  const pick = recordNotes(
    (midi, seconds, velocity, random) => renderGuitar(midi, seconds, velocity, pickedTone, random),
    64,
  );
  const strum = recordNotes(
    (midi, seconds, velocity, random) => renderGuitar(midi, seconds, velocity, strummedTone, random),
    64,
  );
  const picked = createPart('picked guitar', 'other', { gainDb: -9, reverb: 0.14 });
  const strummed = createPart('strummed guitar', 'other', { gainDb: -13.5, reverb: 0.12 });
  const tune = createPart('guitar tune', 'other', { gainDb: -10, reverb: 0.24 });
  const string = (
    part: Part,
    voice: Voice,
    placement: { bar: number; beat: number; gain: number; pan: number },
    midi: number,
    eighths: number,
  ): void => playLine(part, grid, lineOf(`${eighths}:${nameOf(midi)}`), voice, placement);

  for (const { bar, beat, beats, label } of chords) {
    const chord = parseChord(label);
    const root = rootAbove(chord, LOWEST);
    const upper = voiceChord(chord, 58);
    if (upper.length === 3) upper.push(upper[0]! + 12);
    if (bar < 42) {
      const order = bar % 2 === 0 ? [0, 2, 3, 2, 1] : [0, 1, 3, 2, 1];
      const gain = isChorus(bar) ? 0.75 : 1;
      string(picked, pick, { bar, beat, gain, pan: -0.4 }, root, beats);
      for (let eighth = 1; eighth < beats; eighth++) {
        const placement = { bar, beat: beat + eighth, gain: gain * (eighth === 3 ? 0.95 : 0.75), pan: -0.4 };
        // Each string rings until it is plucked again or the chord ends.
        string(picked, pick, placement, upper[order[eighth - 1]!]!, Math.min(3, beats - eighth));
      }
    }
    const grip = [root, root + 7, ...upper].toSorted((one, other) => one - other);
    const sweep = (strumStep: StrumStep, pan: number, late: number): void => {
      const [eighth, eighths, gain, isUp] = strumStep;
      const strings = isUp ? grip.slice(2).toReversed() : grip;
      strings.forEach((midi, index) => {
        const placement = {
          bar,
          beat: beat + eighth + late + index * STRING_APART,
          gain: gain * (1 - 0.06 * index),
          pan,
        };
        string(strummed, strum, placement, midi, eighths);
      });
    };
    if (isChorus(bar)) {
      for (const strumStep of STRUMS) {
        sweep(strumStep, 0.65, 0);
        if (bar >= 32) sweep(strumStep, -0.7, 0.05);
      }
    } else if (bar >= 28 && bar < 32) sweep([0, beats, 0.75, false], 0.5, 0);
    else if (bar === 42) sweep([0, 12, 0.8, false], 0.2, 0);
  }
  const opening = '2:A#4 1:C5 3:D#5 | 2:D5 1:A#4 3:G4 | 2:C5 1:D5 3:D#5 | 3:D#5 3:F5';
  playLine(tune, grid, lineOf(opening), pick, { bar: 0, pan: 0.35, gain: 0.9 });
  playLine(tune, grid, lineOf('1:- 1:D5 1:D#5 3:F5'), pick, { bar: 11, pan: 0.35, gain: 0.8 });
  playLine(tune, grid, lineOf('2:G5 1:F5 3:D#5 | 2:A#4 1:C5 3:D#5'), pick, { bar: 18, pan: 0.35 });
  playLine(tune, grid, lineOf('3:- 1:G4 1:A#4 1:D#5'), pick, { bar: 42, pan: 0.35, gain: 0.8 });
  return [picked, strummed, tune];
}
