import type { DemoSong } from '../demo-song.ts';
import { barsOf, beatTimes, chordSpans, chordsOf, type FormSection, sectionSpans } from '../sequence/form.ts';
import { createGrid } from '../sequence/grid.ts';
import { swallowSeasonDrums } from './swallow-season-drums.ts';
import { swallowSeasonGuitars } from './swallow-season-guitars.ts';
import { swallowSeasonHarmony } from './swallow-season-harmony.ts';
import { swallowSeasonLyrics, swallowSeasonVocals } from './swallow-season-vocals.ts';

const verse = ['D#add9', 'Gm7', 'G#maj7', 'A#7sus4 A#7', 'D#add9', 'Gm7', 'Cm7', 'Fm7 A#7'];
const chorus = ['G#maj7', 'A#', 'Gm7', 'Cm7', 'G#maj7', 'A#7', 'D#add9', 'D#add9'];
const form: readonly FormSection[] = [
  { label: 'intro', bars: 4, chords: ['D#add9', 'D#add9', 'G#maj7', 'A#7sus4'] },
  { label: 'verse', bars: 8, chords: verse },
  { label: 'chorus', bars: 8, chords: chorus },
  { label: 'verse', bars: 8, chords: verse },
  { label: 'bridge', bars: 4, chords: ['Cm7', 'Gm7', 'G#m', 'A#7sus4 A#7'] },
  { label: 'chorus', bars: 8, chords: chorus },
  { label: 'outro', bars: 4, chords: ['G#maj7', 'G#m', 'D#add9', 'D#add9'] },
];
/** The song is written in eighths: six per bar, three per beat. */
const eighthsPerBar = 6;
const eighthsPerBeat = 3;
const grid = createGrid(198, eighthsPerBar, barsOf(form), 0.5);
const chords = chordsOf(form, eighthsPerBar);

/** "Swallow Season": a folk song in 6/8, 66 dotted quarters a minute, in E♭ major, sung by a man and a woman. */
export const swallowSeason: DemoSong = {
  slug: 'swallow-season',
  title: 'Swallow Season',
  artist: 'Stem Studio',
  album: 'First Light',
  genre: 'Folk',
  year: 2026,
  tempo: grid.tempo / eighthsPerBeat,
  time_signature: '6/8',
  key: 'D# major',
  duration_seconds: grid.durationSeconds,
  sections: sectionSpans(form, grid),
  beats: () => beatTimes(grid, eighthsPerBeat),
  downbeats: () => beatTimes(grid, eighthsPerBar),
  chords: chordSpans(chords, grid),
  lyrics: swallowSeasonLyrics(grid),
  cover: { motif: 'swallows', seed: 66 },
  arrange: () => ({
    parts: [
      ...swallowSeasonVocals(grid),
      ...swallowSeasonDrums(grid),
      ...swallowSeasonGuitars(grid, chords),
      ...swallowSeasonHarmony(grid, chords),
    ],
    buses: {
      vocals: {
        room: { decaySeconds: 1.9, preDelaySeconds: 0.04, dampHz: 5600, lowCutHz: 250, size: 0.85 },
        echo: {
          leftSeconds: grid.secondsAtBeat(2),
          rightSeconds: grid.secondsAtBeat(3),
          feedback: 0.25,
          dampHz: 2600,
        },
        drive: 1.2,
        gainDb: 0,
      },
      drums: {
        room: { decaySeconds: 1, preDelaySeconds: 0.012, dampHz: 5000, lowCutHz: 220, size: 0.7 },
        echo: null,
        drive: 1.4,
        gainDb: 0,
      },
      bass: {
        room: { decaySeconds: 0.5, preDelaySeconds: 0, dampHz: 3000, lowCutHz: 400, size: 0.5 },
        echo: null,
        drive: 1.4,
        gainDb: 0,
      },
      other: {
        room: { decaySeconds: 2.1, preDelaySeconds: 0.02, dampHz: 5200, lowCutHz: 220, size: 0.95 },
        echo: null,
        drive: 1.15,
        gainDb: 0,
      },
    },
    masterDb: [
      [0, -2.5],
      [grid.durationSeconds - 2, -2.5],
      [grid.durationSeconds - 0.5, -20],
      [grid.durationSeconds - 0.01, -90],
    ],
  }),
};
