import { Ducking, Fader, MovingFilter } from '../effect/automation.ts';
import { Chorus } from '../effect/chorus.ts';
import { Tremolo } from '../effect/tremolo.ts';
import type { BassTone } from '../instrument/bass.ts';
import { renderElectricPiano } from '../instrument/electric-piano.ts';
import { type PadTone, renderPad } from '../instrument/pad.ts';
import { renderLead } from '../instrument/pluck.ts';
import { renderRiser } from '../instrument/riser.ts';
import { nameOf } from '../pitch.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import { parseChord, rootAbove, voiceChord } from '../sequence/chord.ts';
import type { PlacedChord } from '../sequence/form.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { playBass, playLine, playOnce, recordNotes, type Voice } from '../sequence/players.ts';
import { isKickBar } from './paper-lanterns-drums.ts';

const bassTone: BassTone = {
  shape: 'saw',
  sub: 0.55,
  subOctave: 0,
  cutoffHz: 170,
  openHz: 1500,
  filterDecaySeconds: 0.11,
  resonance: 1.6,
  releaseSeconds: 0.03,
};
const warmPad: PadTone = {
  attackSeconds: 0.35,
  releaseSeconds: 0.25,
  cutoffHz: 1200,
  cutoffEndHz: 2800,
  detuneCents: 26,
  sustain: 1,
};
const stabTone: PadTone = {
  attackSeconds: 0.006,
  releaseSeconds: 0.07,
  cutoffHz: 5200,
  cutoffEndHz: 1500,
  detuneCents: 34,
  sustain: 0.4,
};
const playPiano: Voice = (midi, seconds, velocity) =>
  renderElectricPiano(midi, seconds, velocity, { bark: 2.6, tine: 0.5, decaySeconds: 1.5 });
const pluckTone = {
  cutoffHz: 380,
  openHz: 4200,
  filterDecaySeconds: 0.07,
  decaySeconds: 0.16,
  resonance: 1.8,
  vibratoCents: 0,
};
const leadTone = {
  cutoffHz: 1500,
  openHz: 2600,
  filterDecaySeconds: 0.3,
  decaySeconds: 1.6,
  resonance: 1.1,
  vibratoCents: 14,
};
const pluck: Voice = (midi, seconds, velocity, random) =>
  renderLead(midi, seconds, velocity, pluckTone, random);
const lead: Voice = (midi, seconds, velocity, random) =>
  renderLead(midi, seconds, velocity, leadTone, random);

const isDropBar = (bar: number): boolean => (bar >= 16 && bar < 24) || (bar >= 28 && bar < 36);

/** Creates the parts of bass, pads, electric piano, stabs, plucks and the lead. */
export function paperLanternsHarmony(grid: Grid, chords: readonly PlacedChord[]): Part[] {
  const piano = recordNotes(playPiano);
  const stab = recordNotes((midi, seconds, velocity, random) =>
    renderPad(midi, seconds * 0.6, velocity, stabTone, random),
  );
  const pad = recordNotes((midi, seconds, velocity, random) =>
    renderPad(midi, seconds, velocity, warmPad, random),
  );
  const kicks = Array.from({ length: grid.bars }, (_, bar) => bar)
    .filter(isKickBar)
    .flatMap((bar) => [0, 1, 2, 3].map((beat) => grid.sampleAt(bar, beat)));
  const at = (bar: number): number => grid.secondsAtBeat(bar * 4);
  const bass = createPart('bass', 'bass', {
    gainDb: -14,
    createInserts: () => [new Ducking(kicks, 0.55, 0.2)],
  });
  const pads = createPart('pad', 'other', {
    gainDb: -19,
    reverb: 0.3,
    createInserts: () => [
      new MovingFilter('low', [
        [0, 500],
        [at(4), 5000],
        [at(12), 2200],
        [at(16), 14000],
        [at(24), 1400],
        [at(28), 12000],
        [at(36), 8000],
        [at(40), 900],
      ]),
      new Chorus(0.6, 0.4),
      new Ducking(kicks, 0.6, 0.3),
    ],
  });
  const keys = createPart('electric piano', 'other', {
    gainDb: -12.5,
    reverb: 0.16,
    echo: 0.05,
    createInserts: () => [new Tremolo(4.1, 0.5), new Chorus(0.9, 0.25)],
  });
  const stabs = createPart('stabs', 'other', {
    gainDb: -12.5,
    reverb: 0.2,
    echo: 0.08,
    createInserts: () => [new Ducking(kicks, 0.45, 0.22)],
  });
  const plucks = createPart('pluck', 'other', {
    gainDb: -15,
    reverb: 0.2,
    echo: 0.3,
    createInserts: () => [
      new Fader([
        [at(8), -8],
        [at(12), 0],
        [at(16), 0],
      ]),
      new MovingFilter('high', [
        [at(12), 120],
        [at(16) - 0.05, 1400],
        [at(16), 120],
      ]),
    ],
  });
  const leads = createPart('lead', 'other', { gainDb: -18.5, reverb: 0.22, echo: 0.28 });
  const noise = createPart('riser', 'other', { gainDb: -22, reverb: 0.2 });

  for (const { bar, beats, label } of chords) {
    const chord = parseChord(label);
    const voicing = voiceChord(chord, 57);
    const root = nameOf(rootAbove(chord, 33));
    const octave = nameOf(rootAbove(chord, 33) + 12);
    const fifth = nameOf(rootAbove(chord, 33) + 7);
    const hold = (voices: readonly number[], voice: Voice, part: Part, gain: number): void =>
      voices.forEach((midi, index) =>
        playLine(part, grid, lineOf(`${beats}:${nameOf(midi)}`), voice, {
          bar,
          gain,
          pan: voices.length > 1 ? (index / (voices.length - 1) - 0.5) * 0.6 : 0,
        }),
      );
    if (bar < 16 || (bar >= 24 && bar < 28) || bar >= 36 || isDropBar(bar)) {
      hold(isDropBar(bar) ? voicing.slice(0, 3) : voicing, pad, pads, isDropBar(bar) ? 0.7 : 1);
    }
    if ((bar >= 4 && bar < 12) || (bar >= 24 && bar < 28) || bar >= 36) {
      const rhythm =
        bar >= 40 ? '4' : bar >= 24 && bar < 28 ? '2 2' : bar % 2 === 0 ? '1.5 1 1.5' : '1.5 1.5 .5 .5';
      for (const midi of voicing) {
        const line = rhythm.split(' ').map((beatsHeld) => `${beatsHeld}:${nameOf(midi)}`);
        playLine(keys, grid, lineOf(line.join(' ')), piano, { bar, gain: 0.9 });
      }
    }
    if (isDropBar(bar)) {
      const rhythm = bar % 2 === 0 ? ['.75', '.75', '1', '.5', '1'] : ['.75', '.75', '.5', '1', '1'];
      for (const midi of voicing) {
        const line = rhythm.map((beatsHeld) => `${beatsHeld}:${nameOf(midi)}`).join(' ');
        playLine(stabs, grid, lineOf(line), stab, { bar });
        playLine(keys, grid, lineOf(line), piano, { bar, gain: 0.55 }, 12);
      }
    }
    if (bar >= 4 && bar < 12) {
      playBass(
        bass,
        grid,
        lineOf(`1.5:${root} .5:${root} .5:- .5:${fifth} .5:${root} .5:${octave}:~`),
        bassTone,
        { bar, gain: 0.95 },
      );
    } else if (bar >= 12 && bar < 15) {
      playBass(
        bass,
        grid,
        lineOf(`.5:${root} `.repeat(8)),
        { ...bassTone, openHz: 900 + 500 * (bar - 12) },
        { bar },
      );
    } else if (isDropBar(bar)) {
      const line =
        bar % 4 === 3
          ? `.5:- .5:${root} .5:- .5:${root} .25:${octave} .25:${root} .5:${root} .5:${fifth} .5:${octave}:~`
          : `.5:- .5:${root} .25:- .25:${root} .5:${octave} .5:- .5:${root} .25:- .25:${root} .5:${octave}`;
      playBass(bass, grid, lineOf(line), bassTone, { bar });
    } else if (bar >= 24 && bar < 28) {
      playBass(bass, grid, lineOf(`4:${root}`), { ...bassTone, openHz: 250, sub: 0.8 }, { bar, gain: 0.8 });
    } else if (bar >= 36) {
      playBass(bass, grid, lineOf(bar < 38 ? `1.5:${root} .5:${root} 2:${fifth}` : `3.5:${root}`), bassTone, {
        bar,
        gain: 0.9,
      });
    }
    if ((bar >= 8 && bar < 16) || (bar >= 32 && bar < 36)) {
      const tones = [...voicing.map((midi) => midi + 12), voicing[0]! + 24];
      const order = [0, 2, 1, 3, 2, tones.length - 1, 1, 2];
      const line = [...order, ...order].map((tone) => `.25:${nameOf(tones[tone % tones.length]!)}`).join(' ');
      playLine(plucks, grid, lineOf(line), pluck, { bar, pan: bar % 2 === 0 ? -0.4 : 0.4 });
    }
  }
  const tune = '.75:A4 .75:C5 .5:E5 1:D5 1:C5 | .75:B4 .75:D5 .5:G5 2:D5';
  const answer = '.75:C5 .75:E5 .5:A5 1:G5 1:E5 | .75:D5 .75:E5 .5:G5 2:E5';
  const turnaround = '.75:C5 .75:E5 .5:A5 1:G5 1:E5 | .75:E5 .75:D5 .5:B4 2:G#4';
  for (const bar of [16, 28]) {
    const parts = [tune, answer, tune, turnaround];
    parts.forEach((line, index) =>
      playLine(leads, grid, lineOf(line), lead, {
        bar: bar + index * 2,
        pan: 0.15,
        gain: bar === 28 ? 1 : 0.75,
      }),
    );
  }
  playLine(
    leads,
    grid,
    lineOf('1.5:E5 .5:D5 2:C5 | 1.5:A4 .5:C5 2:E5 | 1.5:G5 .5:E5 2:C5 | 1.5:D5 .5:C5 2:B4'),
    lead,
    {
      bar: 0,
      gain: 0.6,
      pan: 0.2,
    },
  );
  const seconds = (beats: number): number => grid.secondsAtBeat(beats);
  playOnce(noise, grid, (random) => renderRiser(seconds(16), 300, 7000, random), { bar: 12 });
  playOnce(noise, grid, (random) => renderRiser(seconds(8), 400, 7000, random), { bar: 26, gain: 0.9 });
  playOnce(noise, grid, (random) => renderRiser(seconds(4), 500, 4000, random), { bar: 3, gain: 0.5 });
  for (const bar of [16, 24, 28, 36]) {
    playOnce(noise, grid, (random) => renderRiser(seconds(6), 5000, 250, random), { bar, gain: 0.8 });
  }
  return [bass, pads, keys, stabs, plucks, leads, noise];
}
