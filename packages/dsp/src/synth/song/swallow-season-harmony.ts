import { Fader } from '../effect/automation.ts';
import { Chorus } from '../effect/chorus.ts';
import { Tremolo } from '../effect/tremolo.ts';
import type { BassTone } from '../instrument/bass.ts';
import { renderOrgan } from '../instrument/organ.ts';
import { type PadTone, renderPad } from '../instrument/pad.ts';
import { renderPiano } from '../instrument/piano.ts';
import { nameOf } from '../pitch.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import { parseChord, rootAbove, voiceChord } from '../sequence/chord.ts';
import type { PlacedChord } from '../sequence/form.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { playBass, playLine, recordNotes, type Voice } from '../sequence/players.ts';

const bassTone: BassTone = {
  shape: 'triangle',
  sub: 0.4,
  subOctave: 0,
  cutoffHz: 380,
  openHz: 1500,
  filterDecaySeconds: 0.09,
  resonance: 0.8,
  releaseSeconds: 0.045,
};
const stringTone: PadTone = {
  attackSeconds: 0.28,
  releaseSeconds: 0.3,
  cutoffHz: 1900,
  cutoffEndHz: 3400,
  detuneCents: 18,
  sustain: 1,
};

/** Creates the parts of bass, piano, organ and strings. */
export function swallowSeasonHarmony(grid: Grid, chords: readonly PlacedChord[]): Part[] {
  const piano = recordNotes(renderPiano, 64);
  const organ = recordNotes((midi, seconds, velocity) => renderOrgan(midi, seconds, velocity, '686400200'));
  const strings = recordNotes((midi, seconds, velocity, random) =>
    renderPad(midi, seconds, velocity, stringTone, random),
  );
  const at = (bar: number): number => grid.secondsAtBeat(bar * grid.beatsPerBar);
  const bass = createPart('bass', 'bass', { gainDb: -14.5 });
  const keys = createPart('piano', 'other', { gainDb: -17, reverb: 0.16 });
  const drawn = createPart('organ', 'other', {
    gainDb: -20.5,
    reverb: 0.2,
    createInserts: () => [
      new Tremolo(5.8, 0.5),
      new Chorus(0.9, 0.45),
      new Fader([
        [at(8), -9],
        [at(12), 0],
        [at(20) - 0.1, 0],
        [at(20), -8],
        [at(28), -3],
        [at(32), 1],
        [at(40), -3],
      ]),
    ],
  });
  const section = createPart('strings', 'other', {
    gainDb: -21,
    reverb: 0.35,
    createInserts: () => [new Chorus(0.7, 0.3)],
  });

  for (const { bar, beat, beats, label } of chords) {
    const chord = parseChord(label);
    const voicing = voiceChord(chord, 55);
    const low = rootAbove(chord, 32);
    const [root, fifth, octave] = [nameOf(low), nameOf(low + 7), nameOf(low + 12)];
    const isChorus = (bar >= 12 && bar < 20) || (bar >= 32 && bar < 40);
    const isBridge = bar >= 28 && bar < 32;
    const isLong = beats === grid.beatsPerBar;
    const each = (lengths: readonly number[], part: Part, voice: Voice, gain: number, up = 0): void =>
      voicing.forEach((midi, index) => {
        const line = lengths.map((length) => `${length}:${nameOf(midi + up)}`).join(' ');
        const pan = (index / (voicing.length - 1) - 0.5) * 0.5 + 0.15;
        playLine(part, grid, lineOf(line), voice, { bar, beat, gain, pan });
      });
    if (isChorus) {
      each(isLong ? [3, 2, 1] : [3], keys, piano, 0.9);
      playLine(keys, grid, lineOf(`${beats}:${octave}`), piano, { bar, beat, gain: 0.8, pan: 0.1 });
    } else if (bar >= 20) {
      each(isBridge || bar >= 40 || !isLong ? [beats] : [4, 2], keys, piano, isBridge ? 1 : 0.8);
      if (isBridge || bar >= 40) {
        playLine(keys, grid, lineOf(`${beats}:${octave}`), piano, { bar, beat, gain: 0.9, pan: 0.1 });
      }
    }
    if (bar >= 8 && bar < 42) each([beats], drawn, organ, 1);
    if (bar >= 28 && bar < 42) each([beats], section, strings, isBridge ? 0.8 : 1, 12);

    if (!isLong)
      playBass(bass, grid, lineOf(`${beat}:- ${beats}:${root}`.replace('0:- ', '')), bassTone, { bar });
    else if (isChorus) {
      const line =
        bar % 2 === 0
          ? `2:${root} 1:${root} 2:${fifth} 1:${octave}:~`
          : `2:${root} 1:${fifth} 2:${root} 1:${fifth}:~`;
      playBass(bass, grid, lineOf(line), bassTone, { bar, gain: 1.05 });
    } else if (bar >= 4 && bar < 28) {
      const line = bar % 2 === 0 ? `3:${root} 3:${fifth}` : `3:${root} 2:${root} 1:${fifth}`;
      playBass(bass, grid, lineOf(line), bassTone, { bar, gain: 0.95 });
    } else if (bar >= 2 && bar < 43) {
      playBass(bass, grid, lineOf(`5.6:${root}`), { ...bassTone, openHz: 700 }, { bar, gain: 0.9 });
    }
  }
  // The piano plays between the vocal phrases and leads in the bridge.
  for (const [bar, line] of [
    [13, '4:- 1:G5 1:F5'],
    [15, '3:- 1:D#5 1:G5 1:A#5'],
    [23, '4:- 1:F5 1:G5'],
    [28, '2:G5 1:F5 3:D#5 | 2:D5 1:F5 3:A#5'],
    [30, '2:B5 1:A#5 3:G#5'],
    [33, '4:- 1:G5 1:F5'],
    [35, '3:- 1:D#5 1:G5 1:A#5'],
    [38, '2:G5 1:F5 3:D#5 | 2:A#5 1:C6 3:D#6'],
    [42, '3:- 1:A#4 1:D#5 1:G5'],
  ] as const) {
    playLine(keys, grid, lineOf(line), piano, { bar, gain: 0.75, pan: 0.25 });
  }
  return [bass, keys, drawn, section];
}
