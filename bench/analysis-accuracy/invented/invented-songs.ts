import { pitchClassNames } from '@stem-studio/dsp/synth/pitch';
import { createRandom, type Random, seedOf } from '@stem-studio/dsp/synth/random';
import { mixOf, renderArrangement } from '@stem-studio/dsp/synth/render-arrangement';
import {
  barsOf,
  chordSpans,
  chordsOf,
  type FormSection,
  sectionSpans,
} from '@stem-studio/dsp/synth/sequence/form';
import type { Grid } from '@stem-studio/dsp/synth/sequence/grid';
import type { GroundTruth } from '../accuracy-scores.ts';
import { progressionIn, scales } from './harmony.ts';
import { type Layers, playDrums, playHarmony } from './play-band.ts';
import { type Sung, singTune } from './sing-tune.ts';
import { type Style, styles } from './styles.ts';
import { createMovingGrid } from './time-map.ts';

/** Styles without a constant tempo, and music in which only a voice defines it. */
const NO_TEMPO = new Set(['ramp', 'rubato piano', 'a cappella']);
/** Styles without chords, and styles without sections. */
const NO_CHORDS = new Set(['bass and hats', 'a cappella']);
const NO_FORM = new Set(['rubato piano', 'a cappella']);

/** A synthetic song with its complete ground truth. */
export interface InventedSong {
  readonly name: string;
  readonly style: Style;
  readonly key: string;
  readonly sung: readonly Sung[];
  readonly durationSeconds: number;
  /** Ground truth of its analysis. */
  readonly truth: GroundTruth;
  /** Renders the mix, left and right, at 44,100 Hz. */
  render(): Float32Array[];
}

const SECONDS = 70;
const ALL: Layers = { kick: true, drums: true, bass: true, chords: true, pad: false, voice: false };
const LAYERS: Readonly<Record<string, Layers>> = {
  intro: { ...ALL, kick: false, bass: false },
  verse: { ...ALL, voice: true },
  build: { ...ALL, bass: false },
  chorus: { ...ALL, pad: true, voice: true },
  drop: { ...ALL, pad: true },
  breakdown: { kick: false, drums: false, bass: false, chords: true, pad: true, voice: false },
  outro: { ...ALL, chords: false },
};
const FORMS = {
  song: 'intro 4 verse 8 chorus 8 verse 8 chorus 8 outro 4',
  club: 'intro 8 drop 16 breakdown 8 drop 16 outro 8',
} as const;

/**
 * Creates synthetic songs: the styles alternate; keys, tempi, harmonies and melodies depend only on the seed.
 *
 * @param count number of songs
 */
export function inventSongs(count: number, seed = 1): InventedSong[] {
  return Array.from({ length: count }, (_, index) => {
    const style = styles[index % styles.length] as Style;
    return inventSong(style, createRandom(seedOf('invented', seed, index)));
  });
}

function inventSong(style: Style, random: Random): InventedSong {
  const [slowest, fastest] = style.bpm;
  const bpm = Math.round(slowest + random() * (fastest - slowest));
  const mode = style.mode === 'either' ? (random() < 0.5 ? 'major' : 'minor') : style.mode;
  const tonic = Math.floor(random() * 12);
  const writtenBpm = bpm * style.writtenPerBeat;
  const form = fitForm(style, writtenBpm, () => progressionIn(tonic, mode, random));
  const grid = createMovingGrid(style, writtenBpm, barsOf(form), random);
  const chords = chordsOf(form, style.beatsPerBar);
  const labels = form.flatMap(({ label, bars }) => Array.from({ length: bars }, () => label));
  const starts = new Set<number>();
  labels.forEach((label, bar) => label !== labels[bar - 1] && starts.add(bar));
  const isSolo = style.name === 'rubato piano' || style.name === 'a cappella';
  const layersAt = (bar: number): Layers => {
    const layers = LAYERS[labels[bar] ?? 'verse'] ?? ALL;
    return isSolo ? { ...ALL, voice: true } : layers;
  };
  const scale = scales[mode].map((degree) => (tonic + degree) % 12).sort((one, other) => one - other);
  const { part, sung } = singTune(
    grid,
    chords,
    scale,
    (bar) => style.hasVoice && layersAt(bar).voice,
    random,
  );
  const { name } = style;
  const key = `${pitchClassNames[tonic]} ${mode}`;
  const truth: GroundTruth = {
    ...(!NO_TEMPO.has(name) && { bpm }),
    beats: beatTimesOf(grid, style.writtenPerBeat),
    downbeats: beatTimesOf(grid, style.beatsPerBar),
    timeSignature: style.timeSignature,
    key,
    ...(!NO_CHORDS.has(name) && { chords: chordSpans(chords, grid) }),
    ...(!NO_FORM.has(name) && { sections: sectionSpans(form, grid) }),
  };
  return {
    name: `${name} ${bpm} bpm ${key}`,
    style,
    truth,
    key,
    sung,
    durationSeconds: grid.durationSeconds,
    render() {
      const room = { decaySeconds: 1.2, preDelaySeconds: 0.02, dampHz: 5500, lowCutHz: 250, size: 0.8 };
      const bus = { room, echo: null, drive: 1.2, gainDb: 0 };
      const echo = { leftSeconds: 60 / bpm, rightSeconds: 30 / bpm, feedback: 0.3, dampHz: 3000 };
      const arrangement = {
        parts: [
          part,
          ...playDrums(style, grid, layersAt, starts),
          ...playHarmony(style, grid, chords, layersAt),
        ],
        buses: { vocals: { ...bus, echo }, drums: bus, bass: bus, other: bus },
        masterDb: [[0, -1]] as const,
      };
      const blocks = [...renderArrangement(arrangement, grid.durationSeconds)].map(mixOf);
      return [0, 1].map((side) => {
        const whole = new Float32Array(blocks.reduce((sum, block) => sum + (block[side]?.length ?? 0), 0));
        let at = 0;
        for (const block of blocks) {
          whole.set(block[side] ?? [], at);
          at += block[side]?.length ?? 0;
        }
        return whole;
      });
    },
  };
}

/**
 * Returns the form of a style. Its sections are halved if the song is too long; sections of the same name have the same
 * chords.
 */
function fitForm(style: Style, writtenBpm: number, progression: () => string[]): FormSection[] {
  const tokens = (style.hasVoice ? FORMS.song : FORMS.club).split(' ');
  const sections = tokens.flatMap((label, index) =>
    index % 2 === 0 ? [{ label, bars: Number(tokens[index + 1]) }] : [],
  );
  const barSeconds = (60 / writtenBpm) * style.beatsPerBar;
  const total = sections.reduce((sum, { bars }) => sum + bars, 0) * barSeconds;
  const scale = total > 1.5 * SECONDS ? 0.5 : 1;
  const chords = new Map<string, string[]>();
  return sections.map(({ label, bars }) => {
    const known = chords.get(label) ?? progression();
    chords.set(label, known);
    return { label, bars: bars * scale, chords: known };
  });
}

function beatTimesOf(grid: Grid, each: number): number[] {
  const count = Math.ceil((grid.bars * grid.beatsPerBar) / each);
  return Array.from({ length: count }, (_, index) => grid.secondsAtBeat(index * each));
}
