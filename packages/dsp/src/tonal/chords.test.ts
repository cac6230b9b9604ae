import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chordTemplates } from './chord-templates.ts';
import { findChords, type HarmonySlice } from './chords.ts';
import { sliceHarmony } from './harmony-slices.ts';
import { findKeyChanges } from './key-changes.ts';

const NOTES: Record<string, readonly number[]> = {
  C: [0, 4, 7],
  Am: [9, 0, 4],
  G7: [7, 11, 2, 5],
  Fmaj7: [5, 9, 0, 4],
  Dm7: [2, 5, 9, 0],
};

/** Returns slices of notes with decaying harmonics, half a second per slice, four slices per chord. */
function play(names: readonly string[]): HarmonySlice[] {
  return names.flatMap((name, index) =>
    Array.from({ length: 4 }, (_, beat) => {
      const chroma = new Float32Array(12);
      const notes = NOTES[name] ?? [];
      for (const note of notes) {
        for (const [interval, level] of [
          [0, 1.5],
          [7, 0.3],
          [4, 0.1],
        ] as const) {
          const at = (note + interval) % 12;
          chroma[at] = (chroma[at] ?? 0) + level;
        }
      }
      const bass = new Float32Array(12);
      if (notes.length > 0) bass[notes[0] ?? 0] = 1;
      const start = (4 * index + beat) / 2;
      return { start, end: start + 0.5, chroma, bass, isDownbeat: beat === 0 };
    }),
  );
}

describe('chords of a track', () => {
  it('are labelled major, minor and seventh, with one span per chord', () => {
    const names = ['C', 'Am', 'Dm7', 'G7', 'Fmaj7', 'C'];
    const chords = findChords(play(names), 'C major');
    assert.deepEqual(
      chords,
      names.map((label, index) => ({ start: 2 * index, end: 2 * index + 2, label })),
    );
  });

  it('are "N" in silence and where all pitch classes are equally strong', () => {
    const noise = play(['C', 'C']).map((slice) => ({ ...slice, chroma: new Float32Array(12).fill(1) }));
    assert.deepEqual(findChords(noise, ''), [{ start: 0, end: 4, label: 'N' }]);
    assert.deepEqual(
      findChords(play(['C', 'silence', 'Am']), '').map(({ label }) => label),
      ['C', 'N', 'Am'],
    );
    assert.deepEqual(findChords([], ''), []);
  });

  it('have 60 templates with distinct labels', () => {
    assert.equal(new Set(chordTemplates.map(({ label }) => label)).size, 60);
  });
});

describe('harmony slices', () => {
  const columns = (count: number): Float32Array[] =>
    Array.from({ length: count }, (_, at) => new Float32Array(12).fill(at % 5 === 0 ? 9 : 1));

  it('take the median over each beat, which a short peak does not change', () => {
    const features = { chroma: columns(50), bass: columns(50), columnSeconds: 0.1 };
    const slices = sliceHarmony({ ...features, beats: [1, 1.5, 2], downbeats: [1], durationSeconds: 5 });
    assert.ok(slices.every(({ chroma }) => chroma[0] === 1));
    assert.deepEqual(
      slices.map(({ start }) => start),
      [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5],
    );
    assert.equal(slices.at(-1)?.end, 5);
    assert.deepEqual(
      slices.filter(({ isDownbeat }) => isDownbeat).map(({ start }) => start),
      [1],
    );
  });

  it('are half a second long without beats, and none for empty input', () => {
    const features = { chroma: columns(10), bass: columns(10), columnSeconds: 0.1, beats: [], downbeats: [] };
    assert.equal(sliceHarmony({ ...features, durationSeconds: 1 }).length, 2);
    assert.deepEqual(sliceHarmony({ ...features, durationSeconds: 0 }), []);
  });
});

describe('keys of a track', () => {
  /** Returns chroma columns of a major scale with emphasis on its triad, one per half second. */
  const inMajor = (tonic: number, seconds: number): Float32Array[] =>
    Array.from({ length: 2 * seconds }, () => {
      const column = new Float32Array(12);
      for (const [degree, level] of [
        [0, 6],
        [2, 3],
        [4, 4],
        [5, 3],
        [7, 5],
        [9, 3],
        [11, 2],
      ] as const)
        column[(tonic + degree) % 12] = level;
      return column;
    });

  it('change where the music modulates for good', () => {
    const keys = findKeyChanges([...inMajor(0, 60), ...inMajor(4, 40)], 0.5, 'C major', 100);
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['C major', 'E major'],
    );
    assert.ok(Math.abs((keys[0]?.end ?? 0) - 60) <= 8);
    assert.equal(keys[1]?.end, 100);
  });

  it('ignore a short modulation, and are none without a key', () => {
    const short = [...inMajor(0, 40), ...inMajor(4, 6), ...inMajor(0, 40)];
    assert.deepEqual(findKeyChanges(short, 0.5, 'C major', 86), [{ start: 0, end: 86, key: 'C major' }]);
    assert.deepEqual(findKeyChanges(short, 0.5, '', 86), []);
  });
});
