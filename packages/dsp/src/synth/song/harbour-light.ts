import type { DemoSong } from '../demo-song.ts';
import { barsOf, beatTimes, chordSpans, chordsOf, type FormSection, sectionSpans } from '../sequence/form.ts';
import { createGrid } from '../sequence/grid.ts';
import { harbourLightDrums } from './harbour-light-drums.ts';
import { harbourLightHarmony } from './harbour-light-harmony.ts';
import { harbourLightLyrics, harbourLightVocals } from './harbour-light-vocals.ts';

const chorus = ['Bmaj7', 'C#7', 'A#m7', 'D#m7', 'Bmaj7', 'C#7', 'F#add9', 'F#add9'];
const form: readonly FormSection[] = [
  { label: 'intro', bars: 2, chords: ['F#maj7', 'D#m7'] },
  { label: 'verse', bars: 8, chords: ['F#maj7', 'D#m7', 'Bmaj7', 'C#7sus4'] },
  { label: 'chorus', bars: 8, chords: chorus },
  { label: 'bridge', bars: 4, chords: ['D#m9', 'Bmaj7', 'G#m7', 'C#7sus4'] },
  { label: 'chorus', bars: 8, chords: chorus },
  { label: 'outro', bars: 3, chords: ['Bmaj7', 'C#7sus4', 'F#add9'] },
];
const grid = createGrid(90, 4, barsOf(form), 0.6);
const chords = chordsOf(form, 4);

/** "Harbour Light": a slow soul song with swung sixteenths at 90 bpm in F# major, sung by a man. */
export const harbourLight: DemoSong = {
  slug: 'harbour-light',
  title: 'Harbour Light',
  artist: 'Stem Studio',
  album: 'First Light',
  genre: 'Trip-Hop',
  year: 2026,
  tempo: grid.tempo,
  time_signature: '4/4',
  key: 'F# major',
  duration_seconds: grid.durationSeconds,
  sections: sectionSpans(form, grid),
  beats: () => beatTimes(grid, 1),
  downbeats: () => beatTimes(grid, 4),
  chords: chordSpans(chords, grid),
  lyrics: harbourLightLyrics(grid),
  cover: { motif: 'harbour', seed: 90 },
  arrange: () => ({
    parts: [...harbourLightVocals(grid), ...harbourLightDrums(grid), ...harbourLightHarmony(grid, chords)],
    buses: {
      vocals: {
        room: { decaySeconds: 2.2, preDelaySeconds: 0.045, dampHz: 5200, lowCutHz: 240, size: 0.9 },
        echo: {
          leftSeconds: grid.secondsAtBeat(1),
          rightSeconds: grid.secondsAtBeat(0.75),
          feedback: 0.32,
          dampHz: 2600,
        },
        drive: 1.25,
        gainDb: 0,
      },
      drums: {
        room: { decaySeconds: 0.9, preDelaySeconds: 0.01, dampHz: 5500, lowCutHz: 250, size: 0.65 },
        echo: null,
        drive: 1.5,
        gainDb: 0,
      },
      bass: {
        room: { decaySeconds: 0.5, preDelaySeconds: 0, dampHz: 3000, lowCutHz: 400, size: 0.5 },
        echo: null,
        drive: 1.4,
        gainDb: 0,
      },
      other: {
        room: { decaySeconds: 2.8, preDelaySeconds: 0.025, dampHz: 4800, lowCutHz: 220, size: 1.1 },
        echo: {
          leftSeconds: grid.secondsAtBeat(0.75),
          rightSeconds: grid.secondsAtBeat(1.5),
          feedback: 0.36,
          dampHz: 3000,
        },
        drive: 1.15,
        gainDb: 0,
      },
    },
    masterDb: [
      [0, -1.4],
      [grid.durationSeconds - 1.8, -1.4],
      [grid.durationSeconds - 0.5, -20],
      [grid.durationSeconds - 0.01, -90],
    ],
  }),
};
