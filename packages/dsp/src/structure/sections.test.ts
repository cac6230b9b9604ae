import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ONSET_RATE } from '../rhythm/onset-envelope.ts';
import { barEdges } from './bar-edges.ts';
import type { Passage } from './passages.ts';
import { nameSections } from './section-names.ts';
import { findSections } from './sections.ts';

const COLUMN_SECONDS = 0.1;

/** Returns parts of two-second bars, each with its own level, chord and density of onsets. */
function compose(passages: readonly { bars: number; level: number; tonic: number; busy: number }[]) {
  const seconds = passages.reduce((sum, { bars }) => sum + 2 * bars, 0);
  const at = (time: number) => {
    let end = 0;
    return passages.find(({ bars }) => time < (end += 2 * bars)) ?? passages.at(-1);
  };
  const columns = Math.round(seconds / COLUMN_SECONDS);
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const each = <T>(make: (passage: NonNullable<ReturnType<typeof at>>) => T): T[] =>
    Array.from({ length: columns }, (_, index) =>
      make(at(index * COLUMN_SECONDS) as NonNullable<ReturnType<typeof at>>),
    );
  const hits = Float32Array.from({ length: Math.round(seconds * ONSET_RATE) }, (_, hop) => {
    const time = hop / ONSET_RATE;
    return (time * 2) % 1 < 0.05 ? (at(time)?.busy ?? 0) * (0.9 + 0.2 * random()) : 0;
  });
  return {
    seconds,
    columns: {
      chroma: each(({ tonic }) =>
        Float32Array.from(
          { length: 12 },
          (_, pitch) => 0.1 * random() + Number([0, 4, 7].includes((pitch - tonic + 12) % 12)),
        ),
      ),
      mfcc: each(({ level, tonic }) =>
        Float32Array.from(
          { length: 13 },
          (_, row) => (row === 0 ? level : 10 * Math.cos(tonic * row)) + random(),
        ),
      ),
      columnSeconds: COLUMN_SECONDS,
      onsets: { low: hits, middle: hits, high: hits, drum: hits },
      voice: new Float32Array(seconds).fill(0.8),
    },
    downbeats: Array.from({ length: seconds / 2 }, (_, bar) => 2 * bar),
  };
}

describe('sections of a track', () => {
  it('start where the music changes, and cover the track without gaps', () => {
    const { columns, downbeats, seconds } = compose([
      { bars: 8, level: -300, tonic: 0, busy: 0.2 },
      { bars: 16, level: -200, tonic: 5, busy: 0.6 },
      { bars: 8, level: -280, tonic: 2, busy: 0 },
      { bars: 16, level: -100, tonic: 9, busy: 1 },
      { bars: 8, level: -320, tonic: 0, busy: 0.1 },
    ]);
    const sections = findSections(columns, downbeats, seconds);
    assert.deepEqual(
      sections.map(({ start, label }) => [start, label]),
      [
        [0, 'intro'],
        [16, 'verse'],
        [48, 'breakdown'],
        [64, 'chorus'],
        [96, 'outro'],
      ],
    );
    sections.slice(1).forEach((section, index) => assert.equal(section.start, sections[index]?.end));
    assert.equal(sections.at(-1)?.end, seconds);
  });

  it('begin with the music after silence, and with the recording where it fades in at once', () => {
    const music = [
      { bars: 8, level: -300, tonic: 0, busy: 0.2 },
      { bars: 16, level: -100, tonic: 5, busy: 1 },
    ];
    const late = compose([{ bars: 1, level: -1_200, tonic: 0, busy: 0 }, ...music]);
    const [first, second] = findSections(late.columns, late.downbeats, late.seconds);
    assert.ok(Math.abs((first?.start ?? 0) - 2) < 0.02, `the first section begins at ${first?.start} s`);
    assert.equal(first?.end, 18);
    assert.equal(second?.start, 18);
    const prompt = compose(music);
    assert.equal(findSections(prompt.columns, prompt.downbeats, prompt.seconds)[0]?.start, 0);
    const silent = compose([{ bars: 6, level: -1_200, tonic: 0, busy: 0 }]);
    const sections = findSections(silent.columns, [], silent.seconds);
    assert.deepEqual(
      sections.map(({ start, end }) => [start, end]),
      [[0, 12]],
    );
  });

  it('are one where all bars are equally similar, as in applause', () => {
    const { columns, downbeats, seconds } = compose([{ bars: 40, level: -200, tonic: 0, busy: 0.5 }]);
    let state = 7;
    const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    const noise = {
      ...columns,
      chroma: columns.chroma.map((column) => column.map(() => random())),
      mfcc: columns.mfcc.map((column) => column.map((value) => value + 400 * random())),
    };
    assert.equal(findSections(noise, downbeats, seconds).length, 1);
  });

  it('are one without a pulse, however the level changes', () => {
    const { columns, seconds } = compose([
      { bars: 8, level: -300, tonic: 0, busy: 0.2 },
      { bars: 16, level: -100, tonic: 5, busy: 1 },
    ]);
    assert.deepEqual(
      findSections(columns, [], seconds).map(({ start, end }) => [start, end]),
      [[0, seconds]],
    );
  });

  it('are one for unchanging music, and none for empty input', () => {
    const { columns, downbeats, seconds } = compose([{ bars: 6, level: 0, tonic: 0, busy: 0.5 }]);
    assert.deepEqual(findSections(columns, downbeats, seconds), [{ start: 0, end: 12, label: 'verse' }]);
    assert.deepEqual(findSections(columns, [], 0), []);
  });
});

describe('bars of a track', () => {
  it('continue before the first downbeat and after the last, without very short bars at either end', () => {
    assert.deepEqual(barEdges([2.5, 4.5, 6.5], 9), [0, 2.5, 4.5, 6.5, 9]);
    assert.deepEqual(barEdges([3, 5], 8), [0, 1, 3, 5, 7, 8]);
    assert.deepEqual(barEdges([], 5), [0, 2, 4, 5]);
    assert.deepEqual(barEdges([1, 2], 0), []);
    assert.deepEqual(barEdges([], 0.1), [0, 0.1]);
    assert.deepEqual(barEdges([2.5, 4.5, 6.5], 9, 2.4), [2.4, 4.5, 6.5, 9]);
    assert.deepEqual(barEdges([], 6, 1), [1, 3, 5, 6]);
  });
});

describe('section labels', () => {
  const plain: Passage = { bars: 8, intensity: 0.5, rise: 0, drums: 1, voice: 0, repetition: 0.9 };
  it('depend on intensity, drums, voice, repetition and position', () => {
    const names = nameSections([
      { ...plain, intensity: 0.1 },
      plain,
      { ...plain, rise: 0.3 },
      { ...plain, intensity: 1 },
      { ...plain, drums: 0.1 },
      { ...plain, intensity: 1, voice: 0.9 },
      { ...plain, repetition: -0.5 },
      { ...plain, intensity: 0 },
    ]);
    const wanted = ['intro', 'verse', 'build', 'drop', 'breakdown', 'chorus', 'bridge', 'outro'];
    assert.deepEqual(names, wanted);
  });
  it('are "verse" for a song of one section', () => {
    assert.deepEqual(nameSections([plain]), ['verse']);
  });
});
