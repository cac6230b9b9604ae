import type { DemoSong } from '../demo-song.ts';
import { barsOf, beatTimes, chordSpans, chordsOf, type FormSection, sectionSpans } from '../sequence/form.ts';
import { createGrid } from '../sequence/grid.ts';
import { paperLanternsDrums } from './paper-lanterns-drums.ts';
import { paperLanternsHarmony } from './paper-lanterns-harmony.ts';
import { paperLanternsLyrics, paperLanternsVocals } from './paper-lanterns-vocals.ts';

const form: readonly FormSection[] = [
  { label: 'intro', bars: 4, chords: ['Am7', 'Fmaj7', 'Am7', 'Em7'] },
  { label: 'verse', bars: 8, chords: ['Am7', 'Fmaj7', 'Am7', 'Em7', 'Am7', 'Dm7', 'Am7', 'E7'] },
  { label: 'build', bars: 4, chords: ['Dm7', 'Am7', 'G', 'E7'] },
  { label: 'drop', bars: 8, chords: ['Am7', 'G', 'Fmaj7', 'Em7', 'Am7', 'G', 'Fmaj7', 'E7'] },
  { label: 'breakdown', bars: 4, chords: ['Dm7', 'Am7', 'Fmaj7', 'E7'] },
  { label: 'drop', bars: 8, chords: ['Am7', 'G', 'Fmaj7', 'Em7', 'Am7', 'G', 'Fmaj7', 'E7'] },
  { label: 'outro', bars: 5, chords: ['Am7', 'Fmaj7', 'Am7', 'Em7', 'Am'] },
];
const grid = createGrid(124, 4, barsOf(form), 0.53);
const chords = chordsOf(form, 4);

/** "Paper Lanterns": a house-pop song at 124 bpm in A minor, sung by a woman. */
export const paperLanterns: DemoSong = {
  slug: 'paper-lanterns',
  title: 'Paper Lanterns',
  artist: 'Stem Studio',
  album: 'First Light',
  genre: 'House',
  year: 2026,
  tempo: grid.tempo,
  time_signature: '4/4',
  key: 'A minor',
  duration_seconds: grid.durationSeconds,
  sections: sectionSpans(form, grid),
  beats: () => beatTimes(grid, 1),
  downbeats: () => beatTimes(grid, 4),
  chords: chordSpans(chords, grid),
  lyrics: paperLanternsLyrics(grid),
  cover: { motif: 'lanterns', seed: 124 },
  arrange: () => ({
    parts: [...paperLanternsVocals(grid), ...paperLanternsDrums(grid), ...paperLanternsHarmony(grid, chords)],
    buses: {
      vocals: {
        room: { decaySeconds: 1.7, preDelaySeconds: 0.035, dampHz: 6500, lowCutHz: 260, size: 0.8 },
        echo: {
          leftSeconds: grid.secondsAtBeat(0.75),
          rightSeconds: grid.secondsAtBeat(0.5),
          feedback: 0.38,
          dampHz: 3200,
        },
        drive: 1.2,
        gainDb: 0,
      },
      drums: {
        room: { decaySeconds: 0.7, preDelaySeconds: 0.008, dampHz: 7500, lowCutHz: 300, size: 0.55 },
        echo: null,
        drive: 1.3,
        gainDb: 0,
      },
      bass: {
        room: { decaySeconds: 0.5, preDelaySeconds: 0, dampHz: 4000, lowCutHz: 400, size: 0.5 },
        echo: null,
        drive: 1.3,
        gainDb: 0,
      },
      other: {
        room: { decaySeconds: 2.4, preDelaySeconds: 0.02, dampHz: 5500, lowCutHz: 240, size: 1 },
        echo: {
          leftSeconds: grid.secondsAtBeat(0.75),
          rightSeconds: grid.secondsAtBeat(1),
          feedback: 0.42,
          dampHz: 4200,
        },
        drive: 1.1,
        gainDb: 0,
      },
    },
    masterDb: [
      [0, -2.1],
      [grid.durationSeconds - 1.6, -2.1],
      [grid.durationSeconds - 0.4, -24],
      [grid.durationSeconds - 0.01, -90],
    ],
  }),
};
