import path from 'node:path';
import { loadAnalysis } from '@stem-studio/dsp/plan/analyze';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';
import { mixOf } from '@stem-studio/dsp/synth/render-arrangement';
import { AccuracyScores, type Bars, type GroundTruth } from './analysis-accuracy/accuracy-scores.ts';
import { analyzeBlocks, blocksOf, evidenceOf, SAMPLE_RATE } from './analysis-accuracy/analyze-samples.ts';
import { beatF, isTempo, isTempoOrMultiple } from './analysis-accuracy/beat-score.ts';
import { Calibration } from './analysis-accuracy/calibration.ts';
import { EvidenceTable } from './analysis-accuracy/evidence-table.ts';
import {
  decodeWithFfmpeg,
  listLabelledPieces,
  readBeats,
  readDownbeats,
  readTable,
} from './analysis-accuracy/ground-truth.ts';
import { inventSongs } from './analysis-accuracy/invented/invented-songs.ts';
import { peerRhythm } from './analysis-accuracy/music-tempo.ts';
import { PeerScores } from './analysis-accuracy/peers/peer-scores.ts';
import { Score } from './analysis-accuracy/score.ts';
import { type SongScores, scoreSongs } from './analysis-accuracy/score-songs.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const INVENTED = 15;
/** Pieces without a constant tempo, of which only the beats are scored. */
const NO_TEMPO = new Set(['ramp', 'step', 'rubato']);

/** Targets on the data, and on the songs for judging, which nothing was chosen on. */
const DATA_BARS: Bars = {
  'tempo within 4 %': '≥ 0.97',
  'tempo, octave forgiven': '≥ 1.0',
  'beat F, 70 ms': '≥ 0.97',
  'beats half a beat off': '0',
  'downbeat F, 70 ms': '≥ 0.92',
  metre: '≥ 0.98',
  'key, MIREX weighted': '≥ 0.92',
  'chords, major-minor overlap': '≥ 0.85',
  'section boundaries F, 0.5 s': '≥ 0.68',
  'section boundaries F, 3 s': '≥ 0.78',
};
const SONG_BARS: Bars = { 'beat F, 70 ms': '≥ 0.95', 'one section where there is one': '1' };

/** Measures the accuracy of tempo, beats, key, chords and sections. */
export const bench: Bench = {
  name: 'analysis-accuracy',
  about:
    'tempo, beats, key, chords and sections of the demo songs, of 15 invented songs in all metres, of a data folder (--data DIR) beside rendered songs for judging (--songs DIR, see training/README.md), with what each kind of evidence alone would choose, and beside music-tempo, and essentia.js and aubio where they are installed',
  run: async (options: BenchOptions): Promise<BenchRow[]> => {
    const { dataDir, songsDir, log } = options;
    await loadAnalysis();
    const demo = scoreDemo(log);
    const invented = scoreInvented(log);
    const sets = [demo, invented];
    const rows = [...demo.rows('demo: '), ...invented.rows('invented: ')];
    const data = new AccuracyScores();
    if (dataDir !== null) {
      const evidence = new EvidenceTable();
      const peer = await scoreData(dataDir, { scores: data, evidence }, log);
      sets.push(data);
      rows.push(...data.rows('', DATA_BARS), ...evidence.rows('data: '), ...peer);
    }
    if (songsDir !== null) {
      const songs = scoreSongs(songsDir, log);
      sets.push(songs.scores);
      rows.push(
        ...songs.scores.rows('songs for judging: ', SONG_BARS),
        ...songs.evidence.rows('songs for judging: '),
        ...data.differences('data above songs for judging: ', songs.scores),
      );
    }
    return [
      ...rows,
      ...Calibration.of(sets.map(({ tempoTrust }) => tempoTrust)).rows('confidence in tempo and beats'),
      ...Calibration.of(sets.map(({ keyTrust }) => keyTrust)).rows('confidence in the key'),
    ];
  },
};

function scoreDemo(log: (line: string) => void): AccuracyScores {
  const scores = new AccuracyScores();
  for (const song of demoSongs) {
    const { tempo, key, chords, sections, time_signature: timeSignature } = song;
    const truth = {
      bpm: tempo,
      key,
      chords,
      sections,
      timeSignature,
      beats: song.beats(),
      downbeats: song.downbeats(),
    };
    const found = analyzeBlocks([...renderDemoSong(song)].map(mixOf));
    log(`${song.title}: ${scores.add(truth, found)}`);
  }
  return scores;
}

function scoreInvented(log: (line: string) => void): AccuracyScores {
  const scores = new AccuracyScores();
  for (const song of inventSongs(INVENTED))
    log(`${song.name}: ${scores.add(song.truth, analyzeBlocks(blocksOf(song.render())))}`);
  return scores;
}

/** Scores all pieces of a data folder, each analysed once. */
async function scoreData(
  dataDir: string,
  { scores, evidence }: SongScores,
  log: (line: string) => void,
): Promise<BenchRow[]> {
  const others = await PeerScores.open();
  const theirs = { one: new Score(), two: new Score(), beats: new Score() };
  for (const [file, truth] of truthsOf(dataDir)) {
    if (file === null) {
      // A missing audio file counts as not detected.
      scores.add(truth, { duration_seconds: 0, features: {} });
      continue;
    }
    const samples = await decodeWithFfmpeg(file, { sampleRate: SAMPLE_RATE, channels: 2 });
    if (!samples) {
      log('analysis-accuracy: skipped, because ffmpeg is not installed');
      return [];
    }
    log(`${path.basename(file)}: ${scores.add(truth, analyzeBlocks(blocksOf(samples)))}`);
    if (truth.beats) log(`  ${evidence.add(truth, evidenceOf(samples))}`);
    await others.add(truth, toMono(samples));
    if (truth.bpm === undefined && !truth.beats) continue;
    const peer = peerRhythm(toMono(samples));
    if (truth.bpm !== undefined) {
      if (!truth.isAmbiguous) theirs.one.add(isTempo(truth.bpm, peer.bpm));
      theirs.two.add(isTempoOrMultiple(truth.bpm, peer.bpm));
    }
    if (truth.beats) theirs.beats.add(beatF(truth.beats, peer.beats));
  }
  const row = (what: string, score: Score): BenchRow => ({
    what: `music-tempo: ${what} (n = ${score.values.length})`,
    value: Math.round(1_000 * score.mean) / 1_000,
    unit: '',
  });
  return [
    row('tempo within 4 %', theirs.one),
    row('tempo, octave forgiven', theirs.two),
    row('beat F, 70 ms', theirs.beats),
    ...others.rows(log),
  ];
}

/** Returns the ground truth of a data folder by audio file; null stands for pieces without audio. */
function truthsOf(dataDir: string): [string | null, GroundTruth][] {
  const truths = new Map<string, GroundTruth>();
  const missing: [null, GroundTruth][] = [];
  const add = (file: string, truth: GroundTruth): void => {
    truths.set(file, { ...truths.get(file), ...truth });
  };
  for (const row of readTable(dataDir, 'rhythm.csv')) {
    const beats = row.beats_file && path.join(dataDir, row.beats_file);
    add(path.join(dataDir, row.file ?? ''), {
      ...(!NO_TEMPO.has(row.kind ?? '') && { bpm: Number(row.tempo_bpm) }),
      ...(row.octave === 'ambiguous' && { isAmbiguous: true }),
      ...(row.meter && { timeSignature: row.meter }),
      ...(beats && { beats: readBeats(beats), downbeats: readDownbeats(beats) }),
    });
  }
  for (const row of readTable(dataDir, 'key.csv'))
    add(path.join(dataDir, row.file ?? ''), { key: row.key ?? '' });
  for (const { audioPath, chords, sections } of listLabelledPieces(dataDir)) {
    if (audioPath === null) missing.push([null, { chords, sections }]);
    else add(audioPath, { chords, sections });
  }
  return [...truths, ...missing];
}

function toMono([left = new Float32Array(0), right = left]: Float32Array[]): Float32Array {
  return left.map((value, at) => (value + (right[at] ?? 0)) / 2);
}
