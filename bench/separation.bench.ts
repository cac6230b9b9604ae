import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SeparationModelName, separationModels } from '@stem-studio/contract/separation-models';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import {
  createFourStemSeparator,
  type FourStemEstimates,
  type FourStemRecipe,
} from '@stem-studio/dsp/separate/four-stems';
import { createSpectrogramTransform } from '@stem-studio/dsp/separate/stereo-spectrogram';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { separateByCentreAndHpss } from './separation/centre-hpss.ts';
import { runEngine } from './separation/engine-run.ts';
import { demoPieces, type Piece, recordedPieces, type Stems, stemNames, sumOf } from './separation/pieces.ts';
import { leakDb, median, medianSdrDb } from './separation/sdr.ts';

const demoSeconds = 24;
/** The four-stem models of the built-in engine, and how each divides. */
const recipes = { hybrid_4: 'plain', hybrid_4_ft: 'refined', alt_4: 'voice' } as const satisfies Partial<
  Record<SeparationModelName, FourStemRecipe>
>;
const models = (Object.keys(recipes) as (keyof typeof recipes)[]).filter(
  (model) => separationModels[model].available,
);
const firstBars = { vocals: 3, drums: 3.5, bass: 3, other: 4 } as const;

/** The built-in separation: how fast, in how much memory, and how well beside two peers in the same run. */
export const bench: Bench = {
  name: 'separation',
  about:
    'each model of the built-in engine: speed, memory, and stems beside the mixture itself and centre + HPSS',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    const rows = [...(await measureEngine(log))];
    rows.push(...(await scorePieces('demo songs', demoPieces(demoSeconds), log)));
    if (dataDir !== null) rows.push(...(await scorePieces('recordings', recordedPieces(dataDir), log)));
    return rows;
  },
};

/** The whole process on songs of 4 and of 16 minutes, made of the demo songs one after another. */
async function measureEngine(log: BenchOptions['log']): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
  try {
    const rows: BenchRow[] = [];
    const phrases = [...demoPieces(60)].map(({ mixture }) => [mixture.left, mixture.right]);
    for (const minutes of [4, 16]) {
      const file = join(folder, `${minutes}.wav`);
      await writeSong(file, phrases, minutes);
      for (const model of models) {
        const { seconds, peakMb } = await runEngine(model, file, join(folder, `stems-${minutes}`));
        log(`${model}, ${minutes} minutes: ${seconds.toFixed(1)} s`);
        rows.push({
          what: `${model}: separate ${minutes} minutes, start of the process included`,
          value: (minutes * 60) / seconds,
          unit: '×',
          ...(model === 'hybrid_4' ? { bar: '≥ 15 × on two cores' } : {}),
        });
        if (peakMb === null) continue;
        const what = `${model}: peak memory, ${minutes} minutes`;
        rows.push({ what, value: peakMb, unit: 'MB', bar: '≤ 600 MB, flat' });
      }
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeSong(file: string, phrases: readonly Float32Array[][], minutes: number): Promise<void> {
  const encoder = createWavEncoder({
    sampleRate: 44_100,
    channels: 2,
    bitDepth: '16',
    expectedFrames: minutes * 60 * 44_100,
  });
  const handle = await open(file, 'w');
  for (let i = 0; i < minutes; i++) {
    await handle.write(await encoder.encode(phrases[i % phrases.length] as Float32Array[]));
  }
  await handle.write((await encoder.finish()).tail);
  await handle.close();
}

async function scorePieces(
  what: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  log: BenchOptions['log'],
): Promise<BenchRow[]> {
  const separators = await Promise.all(
    models.map(async (model) => ({ model, separator: await createFourStemSeparator(recipes[model]) })),
  );
  const transform = await createSpectrogramTransform();
  const ours = separators.map(({ model }) => ({ model, scores: emptyScores(), leaks: [] as number[] }));
  const peers = { scores: emptyScores(), mixture: emptyScores(), leaks: [] as number[] };
  for await (const piece of pieces) {
    const { mixture, stems } = piece;
    const score = (found: Stems, scores: Scores, leaks: number[]): void => {
      for (const stem of stemNames) {
        const sdr = medianSdrDb(stems[stem], found[stem]);
        if (sdr === null) leaks.push(leakDb(found[stem], mixture));
        else scores[stem].push(sdr);
      }
    };
    for (const [i, { separator }] of separators.entries()) {
      const { scores, leaks } = ours[i] as (typeof ours)[number];
      score(withRest(piece, separator.separate(mixture.left.slice(), mixture.right.slice())), scores, leaks);
    }
    score(withRest(piece, separateByCentreAndHpss(transform, mixture)), peers.scores, peers.leaks);
    score({ vocals: mixture, drums: mixture, bass: mixture, other: mixture }, peers.mixture, []);
    log(`${what}: ${piece.name}`);
  }
  const rows: BenchRow[] = [];
  for (const { model, scores, leaks } of ours) {
    for (const stem of stemNames) {
      if (scores[stem].length === 0) continue;
      rows.push({
        what: `${model}: ${stem}, median SDR, ${what} (n = ${scores[stem].length})`,
        value: median(scores[stem]),
        unit: 'dB',
        against: `centre + HPSS ${median(peers.scores[stem]).toFixed(1)} dB, mixture ${median(peers.mixture[stem]).toFixed(1)} dB`,
        bar: `≥ ${firstBars[stem]} dB`,
      });
    }
    if (leaks.length === 0) continue;
    rows.push({
      what: `${model}: a stem that is not there, median level, ${what} (n = ${leaks.length})`,
      value: median(leaks),
      unit: 'dB',
      against: `centre + HPSS ${median(peers.leaks).toFixed(1)} dB`,
      bar: '≤ −25 dB',
    });
  }
  return rows;
}

type Scores = Record<(typeof stemNames)[number], number[]>;

const emptyScores = (): Scores => ({
  vocals: [],
  drums: [],
  bass: [],
  other: [],
});

/** The estimates and, as `other`, what they leave of the mixture. */
function withRest({ mixture }: Piece, { vocals, drums, bass }: FourStemEstimates): Stems {
  const estimated = sumOf([vocals, drums, bass]);
  return {
    vocals,
    drums,
    bass,
    other: {
      left: mixture.left.map((x, i) => x - (estimated.left[i] as number)),
      right: mixture.right.map((x, i) => x - (estimated.right[i] as number)),
    },
  };
}
