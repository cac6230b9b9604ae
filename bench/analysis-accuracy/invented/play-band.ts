import { renderClap } from '@stem-studio/dsp/synth/instrument/clap';
import { renderElectricPiano } from '@stem-studio/dsp/synth/instrument/electric-piano';
import { renderGuitar } from '@stem-studio/dsp/synth/instrument/guitar';
import { renderKick } from '@stem-studio/dsp/synth/instrument/kick';
import { closedHat, crash, openHat, renderMetal } from '@stem-studio/dsp/synth/instrument/metal';
import { renderOrgan } from '@stem-studio/dsp/synth/instrument/organ';
import { renderPad } from '@stem-studio/dsp/synth/instrument/pad';
import { renderPiano } from '@stem-studio/dsp/synth/instrument/piano';
import { renderRim } from '@stem-studio/dsp/synth/instrument/rim';
import { renderSnare } from '@stem-studio/dsp/synth/instrument/snare';
import { nameOf } from '@stem-studio/dsp/synth/pitch';
import { createPart, type Part } from '@stem-studio/dsp/synth/sequence/arrangement';
import { parseChord, rootAbove, voiceChord } from '@stem-studio/dsp/synth/sequence/chord';
import type { PlacedChord } from '@stem-studio/dsp/synth/sequence/form';
import type { Grid } from '@stem-studio/dsp/synth/sequence/grid';
import { hitsOf, lineOf } from '@stem-studio/dsp/synth/sequence/pattern';
import {
  playBass,
  playHits,
  playLine,
  playOnce,
  recordNotes,
  recordTakes,
  type Voice,
} from '@stem-studio/dsp/synth/sequence/players';
import type { ChordPlayer, Style } from './styles.ts';

/** Instruments that play in a bar. */
export interface Layers {
  readonly kick: boolean;
  readonly drums: boolean;
  readonly bass: boolean;
  readonly chords: boolean;
  readonly pad: boolean;
  readonly voice: boolean;
}

const slowPad = {
  attackSeconds: 0.3,
  releaseSeconds: 0.3,
  cutoffHz: 1100,
  cutoffEndHz: 2400,
  detuneCents: 22,
  sustain: 1,
};
const stabTone = {
  attackSeconds: 0.005,
  releaseSeconds: 0.06,
  cutoffHz: 4600,
  cutoffEndHz: 1500,
  detuneCents: 30,
  sustain: 0.4,
};
const steel = { pickPosition: 0.16, brightHz: 5200, softness: 0.3, ringSeconds: 3, body: 0.5 };
const bassTone = {
  shape: 'saw',
  sub: 0.5,
  subOctave: 0,
  cutoffHz: 180,
  openHz: 1300,
  filterDecaySeconds: 0.12,
  resonance: 1.3,
  releaseSeconds: 0.03,
} as const;

const voices: Readonly<Record<ChordPlayer, Voice>> = {
  piano: renderPiano,
  'electric piano': (midi, seconds, velocity) =>
    renderElectricPiano(midi, seconds, velocity, { bark: 2, tine: 0.4, decaySeconds: 1.5 }),
  guitar: (midi, seconds, velocity, random) => renderGuitar(midi, seconds, velocity, steel, random),
  organ: (midi, seconds, velocity) => renderOrgan(midi, seconds * 0.5, velocity, '868000000'),
  pad: (midi, seconds, velocity, random) => renderPad(midi, seconds, velocity, slowPad, random),
  stab: (midi, seconds, velocity, random) => renderPad(midi, seconds * 0.6, velocity, stabTone, random),
};
const levels: Readonly<Record<ChordPlayer, number>> = {
  piano: -12,
  'electric piano': -12,
  guitar: -11,
  organ: -18,
  pad: -18,
  stab: -15,
};

/** Renders the drums of a style in the bars that have them. A crash marks the start of a section with drums. */
export function playDrums(
  style: Style,
  grid: Grid,
  layersAt: (bar: number) => Layers,
  starts: ReadonlySet<number>,
): Part[] {
  const kick = recordTakes((velocity, random) =>
    renderKick(velocity, { bodyHz: 52, sweepHz: 150, decaySeconds: 0.14, click: 0.4 }, random),
  );
  const snare = recordTakes((velocity, random) => {
    if (style.snareIs === 'clap') return renderClap(velocity, random);
    if (style.snareIs === 'rim') return renderRim(velocity, random);
    return renderSnare(velocity, { headHz: 186, decaySeconds: 0.12, wires: 0.6 }, random);
  });
  const hat = recordTakes((velocity, random) => renderMetal(velocity, closedHat, random));
  const open = recordTakes((velocity, random) => renderMetal(velocity, openHat, random));
  const kicks = createPart('kick', 'drums', { gainDb: -6 });
  const snares = createPart('snare', 'drums', { gainDb: -7, reverb: 0.15 });
  const hats = createPart('hats', 'drums', { gainDb: -13, reverb: 0.05 });
  for (let bar = 0; bar < grid.bars; bar++) {
    const layers = layersAt(bar);
    const loose = style.name.includes('trance') || style.name === 'house' ? 0.2 : 1;
    if (layers.kick) playHits(kicks, grid, style.kick, kick, { bar }, loose);
    if (!layers.drums) continue;
    playHits(snares, grid, style.snare, snare, { bar }, loose);
    playHits(hats, grid, style.hats, hat, { bar, pan: 0.2 }, loose);
    playHits(hats, grid, style.openHats, open, { bar, pan: 0.2 }, loose);
    if (starts.has(bar))
      playOnce(hats, grid, (random) => renderMetal(1, crash, random), { bar, pan: -0.2, gain: 0.8 });
  }
  return [kicks, snares, hats];
}

/** Renders the chords, bass and pad of a style. */
export function playHarmony(
  style: Style,
  grid: Grid,
  chords: readonly PlacedChord[],
  layersAt: (bar: number) => Layers,
): Part[] {
  const keys = createPart('chords', 'other', { gainDb: levels[style.chordPlayer], reverb: 0.15 });
  const pads = createPart('pad', 'other', { gainDb: -20, reverb: 0.3 });
  const bass = createPart('bass', 'bass', { gainDb: -13 });
  const keyVoice = recordNotes(voices[style.chordPlayer], 60);
  const padVoice = recordNotes(voices.pad, 40);
  for (const { bar, beats, label } of chords) {
    const layers = layersAt(bar);
    const chord = parseChord(label);
    const voicing = voiceChord(chord, 55);
    if (layers.chords) {
      const hits = hitsOf(style.chords, style.beatsPerBar);
      hits.forEach(({ beat }, index) => {
        const until = hits[index + 1]?.beat ?? beats;
        for (const midi of voicing)
          playLine(keys, grid, lineOf(`${until - beat}:${nameOf(midi)}`), keyVoice, { bar, beat, pan: 0.15 });
      });
    }
    if (layers.pad)
      for (const midi of voicing)
        playLine(pads, grid, lineOf(`${beats}:${nameOf(midi)}`), padVoice, { bar, pan: -0.2 });
    if (layers.bass) {
      const root = rootAbove(chord, 31);
      const notes: Readonly<Record<string, string>> = {
        r: nameOf(root),
        f: nameOf(root + 7),
        o: nameOf(root + 12),
        '-': '-',
      };
      const line = style.bass.split(' ').map((item) => {
        const [length = '1', degree = 'r'] = item.split(':');
        return `${length}:${notes[degree] ?? '-'}`;
      });
      playBass(bass, grid, lineOf(line.join(' ')), bassTone, { bar });
    }
  }
  return [keys, pads, bass];
}
