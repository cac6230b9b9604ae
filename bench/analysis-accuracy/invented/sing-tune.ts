import { nameOf } from '@stem-studio/dsp/synth/pitch';
import type { Random } from '@stem-studio/dsp/synth/random';
import { createPart, type Part } from '@stem-studio/dsp/synth/sequence/arrangement';
import { parseChord } from '@stem-studio/dsp/synth/sequence/chord';
import type { PlacedChord } from '@stem-studio/dsp/synth/sequence/form';
import type { Grid } from '@stem-studio/dsp/synth/sequence/grid';
import { lineOf } from '@stem-studio/dsp/synth/sequence/pattern';
import { singLine } from '@stem-studio/dsp/synth/sequence/players';
import type { Singer } from '@stem-studio/dsp/synth/voice/gestures';

const SYLLABLES = [
  'la',
  'noU',
  'mi',
  'swo',
  'rEIn',
  'laIt',
  'bi',
  'goU',
  'hAnd',
  'si',
  'dEI',
  'ju',
  'wIn',
  'taId',
  'har',
];
/** Rhythms of phrases: note lengths as multiples of 1/16 of two bars; the remainder is a rest. */
const RHYTHMS = [
  [1, 1, 1, 1, 2, 1, 1, 4],
  [2, 1, 1, 2, 2, 5],
  [1, 1, 2, 1, 1, 2, 3],
  [3, 1, 2, 2, 5],
];
const SIXTEENTHS = 16;

/** Time range with singing, in seconds. */
export interface Sung {
  readonly start: number;
  readonly end: number;
}

/**
 * Composes a melody over the chords: one phrase for every two bars, with chord tones on long notes and scale steps
 * between them.
 *
 * @param isSung whether a bar is sung
 */
export function singTune(
  grid: Grid,
  chords: readonly PlacedChord[],
  scale: readonly number[],
  isSung: (bar: number) => boolean,
  random: Random,
): { part: Part; sung: Sung[] } {
  const part = createPart('voice', 'vocals', { gainDb: -4, reverb: 0.16, echo: 0.04 });
  const isMan = random() < 0.5;
  const singer: Singer = {
    formants: isMan ? 'men' : 'women',
    size: 0.97 + 0.06 * random(),
    vibratoHz: 4.8 + random(),
    vibratoCents: 12 + 25 * random(),
    vibratoAfterSeconds: 0.3,
    portamentoSeconds: 0.05 + 0.04 * random(),
    openQuotient: 0.58 + 0.1 * random(),
    tiltHz: 3200 + 1400 * random(),
    breath: 0.03,
  };
  const middle = isMan ? 55 : 66;
  const sung: Sung[] = [];
  let pitch = middle;
  for (let bar = 0; bar + 1 < grid.bars; bar += 2) {
    if (!isSung(bar) || !isSung(bar + 1)) continue;
    const rhythm = RHYTHMS[Math.floor(random() * RHYTHMS.length)] ?? [];
    const unit = (2 * grid.beatsPerBar) / SIXTEENTHS;
    let position = 0;
    const notes = rhythm.map((length) => {
      const at = bar + Math.floor((position * unit) / grid.beatsPerBar);
      const chord = chords.find((one) => one.bar === at);
      const tones = length > 1 && chord ? parseChord(chord.label).tones : scale;
      const wanted =
        pitch + Math.round(5 * (random() - 0.5)) + (pitch > middle + 6 ? -2 : pitch < middle - 6 ? 2 : 0);
      pitch = nearest(wanted, tones);
      position += length;
      const syllable = SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? 'la';
      return `${length * unit}:${nameOf(pitch)}:${syllable}`;
    });
    const line = lineOf(notes.join(' '));
    singLine(part, grid, line, singer, { bar, gain: 1, pan: 0 });
    const begin = bar * grid.beatsPerBar;
    sung.push({ start: grid.secondsAtBeat(begin), end: grid.secondsAtBeat(begin + position * unit) });
  }
  return { part, sung };
}

function nearest(midi: number, pitchClasses: readonly number[]): number {
  for (let away = 0; away < 7; away++)
    for (const candidate of [midi - away, midi + away])
      if (pitchClasses.includes(((candidate % 12) + 12) % 12)) return candidate;
  return midi;
}
