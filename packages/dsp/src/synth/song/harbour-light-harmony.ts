import { Fader, MovingFilter } from '../effect/automation.ts';
import { Chorus } from '../effect/chorus.ts';
import { Tremolo } from '../effect/tremolo.ts';
import type { BassTone } from '../instrument/bass.ts';
import { renderElectricPiano } from '../instrument/electric-piano.ts';
import { type PadTone, renderPad } from '../instrument/pad.ts';
import { renderLead, renderString } from '../instrument/pluck.ts';
import { renderRiser } from '../instrument/riser.ts';
import { nameOf } from '../pitch.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import { parseChord, rootAbove, voiceChord } from '../sequence/chord.ts';
import type { PlacedChord } from '../sequence/form.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { playBass, playLine, playOnce, recordNotes, type Voice } from '../sequence/players.ts';

const bassTone: BassTone = {
  shape: 'triangle',
  sub: 0.5,
  subOctave: 0,
  cutoffHz: 420,
  openHz: 1100,
  filterDecaySeconds: 0.16,
  resonance: 0.9,
  releaseSeconds: 0.05,
};
const stringTone: PadTone = {
  attackSeconds: 0.22,
  releaseSeconds: 0.3,
  cutoffHz: 2200,
  cutoffEndHz: 4200,
  detuneCents: 22,
  sustain: 1,
};
const padTone: PadTone = {
  ...stringTone,
  attackSeconds: 0.6,
  cutoffHz: 800,
  cutoffEndHz: 1500,
  detuneCents: 18,
};
const hornTone = {
  cutoffHz: 750,
  openHz: 900,
  filterDecaySeconds: 0.5,
  decaySeconds: 2.5,
  resonance: 0.8,
  vibratoCents: 20,
};
const playPiano: Voice = (midi, seconds, velocity) =>
  renderElectricPiano(midi, seconds, velocity, { bark: 2.2, tine: 0.6, decaySeconds: 2.4 });
const guitar: Voice = (midi, _seconds, velocity, random) => renderString(midi, velocity * 0.8, 1.8, random);
const horn: Voice = (midi, seconds, velocity, random) =>
  renderLead(midi, seconds, velocity, hornTone, random);
const playStrings: Voice = (midi, seconds, velocity, random) =>
  renderPad(midi, seconds, velocity, stringTone, random);
const playPad: Voice = (midi, seconds, velocity, random) =>
  renderPad(midi, seconds, velocity, padTone, random);

/** Creates the parts of bass, electric piano, pad, guitar, strings and a muted horn. */
export function harbourLightHarmony(grid: Grid, chords: readonly PlacedChord[]): Part[] {
  const piano = recordNotes(playPiano);
  const strings = recordNotes(playStrings);
  const pad = recordNotes(playPad);
  const at = (bar: number): number => grid.secondsAtBeat(bar * 4);
  const bass = createPart('bass', 'bass', { gainDb: -15 });
  const keys = createPart('electric piano', 'other', {
    gainDb: -15,
    reverb: 0.2,
    createInserts: () => [new Tremolo(3, 0.7), new Chorus(0.7, 0.3)],
  });
  const pads = createPart('pad', 'other', {
    gainDb: -20,
    reverb: 0.35,
    createInserts: () => [
      new MovingFilter('low', [
        [0, 700],
        [at(10), 3500],
        [at(18), 900],
        [at(22), 5000],
        [at(33), 700],
      ]),
      new Chorus(0.4, 0.5),
    ],
  });
  const guitars = createPart('guitar', 'other', { gainDb: -16.5, reverb: 0.22, echo: 0.14 });
  const section = createPart('strings', 'other', {
    gainDb: -21,
    reverb: 0.35,
    createInserts: () => [
      new Fader([
        [at(10), -6],
        [at(14), 0],
        [at(21), 0],
        [at(22), 1],
      ]),
      new Chorus(0.8, 0.35),
    ],
  });
  const horns = createPart('horn', 'other', { gainDb: -18, reverb: 0.32, echo: 0.22 });
  const sea = createPart('sea', 'other', { gainDb: -27, reverb: 0.1 });

  for (const { bar, beats, label } of chords) {
    const chord = parseChord(label);
    const voicing = voiceChord(chord, 54);
    const low = rootAbove(chord, 35);
    const [root, fifth, octave] = [nameOf(low), nameOf(low + 7), nameOf(low + 12)];
    const isChorus = (bar >= 10 && bar < 18) || (bar >= 22 && bar < 30);
    const isBridge = bar >= 18 && bar < 22;
    const each = (line: (note: string) => string, part: Part, voice: Voice, gain: number, up = 0): void =>
      voicing.forEach((midi, index) =>
        playLine(part, grid, lineOf(line(nameOf(midi + up))), voice, {
          bar,
          gain,
          pan: (index / (voicing.length - 1) - 0.5) * 0.7,
        }),
      );
    const whole = (note: string): string => `${beats}:${note}`;
    if (isChorus) each((note) => `1.5:${note} 1:${note} 1.5:${note}`, keys, piano, 0.85);
    else if (isBridge || bar >= 30) each(whole, keys, piano, 0.9);
    else
      each(
        (note) => (bar % 2 === 0 ? `2.5:${note} 1.5:${note}` : `1.5:${note} 2.5:${note}`),
        keys,
        piano,
        0.9,
      );
    each(whole, pads, pad, 1);
    if (isChorus || isBridge || bar >= 30) each(whole, section, strings, isBridge ? 0.6 : 1, 12);
    if (isChorus && bar >= 14)
      playLine(section, grid, lineOf(`4:${nameOf(voicing.at(-1)! + 12)}`), strings, { bar, gain: 0.8 }, 12);

    if (bar >= 2 && bar < 10) {
      playBass(
        bass,
        grid,
        lineOf(
          bar % 2 === 0
            ? `1.75:${root} .25:${root} .5:- .5:${fifth} 1:${root}`
            : `1.5:${root} .5:${fifth}:~ 1:${root}:~ .5:- .5:${octave}`,
        ),
        bassTone,
        { bar },
      );
    } else if (isChorus) {
      playBass(
        bass,
        grid,
        lineOf(
          bar % 2 === 0
            ? `1.25:${root} .25:${root} .5:${octave} .5:- .5:${fifth} .75:${root} .25:${fifth}`
            : `1.5:${root} .5:${octave}:~ .75:${root}:~ .25:- .5:${fifth} .5:${root}`,
        ),
        bassTone,
        { bar, gain: 1.05 },
      );
    } else if (bar >= 1)
      playBass(bass, grid, lineOf(`3.6:${root}`), { ...bassTone, openHz: 500 }, { bar, gain: 0.9 });

    if ((bar >= 6 && bar < 10) || isBridge || bar >= 22) {
      const tones = [low + 12, ...voicing.slice(1), voicing[0]! + 12].map(nameOf);
      const order = bar % 2 === 0 ? [0, 1, 2, 3, 2, 1, 3, 2] : [0, 2, 1, 3, 2, 3, 1, 2];
      if (bar < 32)
        playLine(
          guitars,
          grid,
          lineOf(order.map((tone) => `.5:${tones[tone % tones.length]}`).join(' ')),
          guitar,
          { bar, pan: -0.45, gain: isChorus ? 0.7 : 1 },
        );
      else
        tones.forEach((tone, index) =>
          playLine(guitars, grid, lineOf(`3:${tone}`), guitar, {
            bar,
            beat: index * 0.06,
            pan: -0.3,
            gain: 0.8,
          }),
        );
    }
  }
  playLine(horns, grid, lineOf('.5:- .5:C#5 1:A#4 2:G#4 | .5:- .5:F#4 1:G#4 1.5:A#4 .5:-'), horn, {
    bar: 0,
    pan: 0.3,
  });
  playLine(horns, grid, lineOf('.5:- .5:D#5 .5:C#5 .5:A#4 2:G#4'), horn, { bar: 17, pan: 0.3, gain: 0.8 });
  playLine(horns, grid, lineOf('2:- 1:F#5 1:D#5 | 2:- 1:G#5 1:F5'), horn, { bar: 26, pan: 0.35, gain: 0.7 });
  playLine(horns, grid, lineOf('1:A#4 1:C#5 2:G#4'), horn, { bar: 32, pan: 0.3, gain: 0.7 });
  const beats = (count: number): number => grid.secondsAtBeat(count);
  playOnce(sea, grid, (random) => renderRiser(beats(6), 200, 2200, random), { bar: 0, gain: 0.8 });
  playOnce(sea, grid, (random) => renderRiser(beats(8), 2500, 200, random), { bar: 1, beat: 2 });
  for (const bar of [10, 18, 22]) {
    playOnce(sea, grid, (random) => renderRiser(beats(4), 400, 5000, random), { bar: bar - 1, gain: 1.2 });
    playOnce(sea, grid, (random) => renderRiser(beats(6), 4200, 250, random), { bar, gain: 1.2 });
  }
  return [bass, keys, pads, guitars, section, horns, sea];
}
