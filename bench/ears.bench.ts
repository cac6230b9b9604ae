import path from 'node:path';
import { createTrackAnalyzer } from '@stem-studio/dsp/plan/analyze';
import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';
import { mixOf } from '@stem-studio/dsp/synth/render-arrangement';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { beatF, isTempo, isTempoOrMultiple } from './ears/beat-score.ts';
import { decodeWithFfmpeg, listLabelledPieces, readBeats, readTable } from './ears/ground-truth.ts';
import { keyScore } from './ears/key-score.ts';
import { peerRhythm } from './ears/music-tempo.ts';
import { Score } from './ears/score.ts';
import { boundaryF, chordOverlap, type Span } from './ears/span-score.ts';

const SAMPLE_RATE = 44_100;
const BLOCK = 16_384;
/** Pieces without one tempo count for their beats alone. */
const NO_TEMPO = new Set(['ramp', 'step', 'rubato']);

/** How well tempo, beats, key, chords and sections are heard. */
export const bench: Bench = {
  name: 'ears',
  about:
    'tempo, beats, key, chords and sections of the demo songs and of a data folder (--data DIR), beside music-tempo',
  run: async (options: BenchOptions): Promise<BenchRow[]> => {
    const { dataDir, log } = options;
    await loadFft();
    const demo = scoreDemo(log);
    if (dataDir === null) return demo;
    return [
      ...demo,
      ...(await scoreRhythm(dataDir, log)),
      ...(await scoreKeys(dataDir, log)),
      ...(await scoreStructure(dataDir, log)),
    ];
  },
};

/** Chords and sections of several pieces. */
function createStructureScores() {
  const scores = { chords: new Score(), half: new Score(), three: new Score() };
  return {
    add(truth: { chords: readonly Span[] | null; sections: readonly Span[] | null }, found: TrackAnalysis) {
      if (truth.chords) scores.chords.add(chordOverlap(truth.chords, found.chords ?? []));
      if (!truth.sections) return;
      scores.half.add(boundaryF(truth.sections, found.sections ?? [], 0.5));
      scores.three.add(boundaryF(truth.sections, found.sections ?? [], 3));
    },
    rows: (prefix = ''): BenchRow[] => [
      rowOf(`${prefix}chords, major-minor overlap`, scores.chords, '≥ 0.76'),
      rowOf(`${prefix}section boundaries F, 0.5 s`, scores.half, '≥ 0.42'),
      rowOf(`${prefix}section boundaries F, 3 s`, scores.three, '≥ 0.65'),
    ],
  };
}

function scoreDemo(log: (line: string) => void): BenchRow[] {
  const structure = createStructureScores();
  const [tempo, beats, keys] = [new Score(), new Score(), new Score()];
  for (const song of demoSongs) {
    const analyzer = createTrackAnalyzer({
      sampleRate: SAMPLE_RATE,
      channels: 2,
      features: ['tempo', 'key'],
    });
    for (const block of renderDemoSong(song)) analyzer.push(mixOf(block));
    const found = analyzer.finish();
    tempo.add(isTempo(song.tempo, found.tempo ?? 0));
    beats.add(beatF(song.beats(), found.beats ?? []));
    keys.add(keyScore(song.key, found.key ?? ''));
    structure.add(song, found);
    log(`${song.title}: ${song.tempo} bpm ${song.key}, heard ${found.tempo} ${found.key}`);
  }
  return [
    rowOf('demo: tempo within 4 %', tempo),
    rowOf('demo: beat F, 70 ms', beats),
    rowOf('demo: key, MIREX weighted', keys),
    ...structure.rows('demo: '),
  ];
}

async function scoreStructure(dataDir: string, log: (line: string) => void): Promise<BenchRow[]> {
  const structure = createStructureScores();
  for (const piece of listLabelledPieces(dataDir)) {
    const sound = piece.sound && (await decodePiece('', piece.sound, log));
    // What cannot be heard counts as not found.
    structure.add(piece, sound ? analyze(sound, 'tempo', 'key') : { duration_seconds: 0, features: {} });
    log(`${piece.name}: ${sound ? 'heard' : 'no sound'}`);
  }
  return structure.rows();
}

async function scoreRhythm(dataDir: string, log: (line: string) => void): Promise<BenchRow[]> {
  const create = (): Record<'one' | 'two' | 'beats', Score> => ({
    one: new Score(),
    two: new Score(),
    beats: new Score(),
  });
  const ours = create();
  const theirs = create();
  for (const row of readTable(dataDir, 'rhythm.csv')) {
    const sound = await decodePiece(dataDir, row.file ?? '', log);
    if (!sound) return [];
    const found = analyze(sound, 'tempo');
    const peer = peerRhythm(toMono(sound));
    const beats = row.beats_file ? readBeats(path.join(dataDir, row.beats_file)) : null;
    const truth = Number(row.tempo_bpm);
    const answers = [
      { scores: ours, bpm: found.tempo ?? 0, beats: found.beats ?? [] },
      { scores: theirs, bpm: peer.bpm, beats: peer.beats },
    ];
    for (const answer of answers) {
      if (!NO_TEMPO.has(row.kind ?? '')) {
        if (row.octave !== 'ambiguous') answer.scores.one.add(isTempo(truth, answer.bpm));
        answer.scores.two.add(isTempoOrMultiple(truth, answer.bpm));
      }
      if (beats) answer.scores.beats.add(beatF(beats, answer.beats));
    }
    log(`${row.file}: ${row.tempo_bpm} bpm, heard ${found.tempo}, music-tempo ${peer.bpm}`);
  }
  return [
    rowOf('tempo within 4 %', ours.one, '≥ 0.88', theirs.one),
    rowOf('tempo, octave forgiven', ours.two, '≥ 0.98', theirs.two),
    rowOf('beat F, 70 ms', ours.beats, '≥ 0.85', theirs.beats),
  ];
}

async function scoreKeys(dataDir: string, log: (line: string) => void): Promise<BenchRow[]> {
  const weighted = new Score();
  const exact = new Score();
  for (const row of readTable(dataDir, 'key.csv')) {
    const sound = await decodePiece(dataDir, row.file ?? '', log);
    if (!sound) return [];
    const found = analyze(sound, 'key');
    const score = keyScore(row.key ?? '', found.key ?? '');
    weighted.add(score);
    exact.add(score === 1);
    log(`${row.file}: ${row.key}, heard ${found.key || 'none'} (${found.key_confidence})`);
  }
  return [rowOf('key, MIREX weighted', weighted, '≥ 0.84'), rowOf('key, exact', exact)];
}

async function decodePiece(
  dataDir: string,
  file: string,
  log: (line: string) => void,
): Promise<Float32Array[] | null> {
  const sound = await decodeWithFfmpeg(path.join(dataDir, file), { sampleRate: SAMPLE_RATE, channels: 2 });
  if (!sound) log('ears: skipped, for ffmpeg is not installed');
  return sound;
}

function analyze(sound: Float32Array[], ...features: ('tempo' | 'key')[]): TrackAnalysis {
  const analyzer = createTrackAnalyzer({
    sampleRate: SAMPLE_RATE,
    channels: sound.length,
    features,
  });
  for (let at = 0; at < (sound[0]?.length ?? 0); at += BLOCK) {
    analyzer.push(sound.map((samples) => samples.subarray(at, at + BLOCK)));
  }
  return analyzer.finish();
}

function toMono([left = new Float32Array(0), right = left]: Float32Array[]): Float32Array {
  return left.map((value, at) => (value + (right[at] ?? 0)) / 2);
}

function rowOf(what: string, score: Score, bar?: string, peer?: Score): BenchRow {
  return {
    what: `${what} (n = ${score.values.length})`,
    value: Math.round(1_000 * score.mean) / 1_000,
    unit: '',
    ...(bar && { bar }),
    ...(peer && { against: `music-tempo ${peer.mean.toFixed(3)}`, ratio: score.mean / peer.mean }),
  };
}
