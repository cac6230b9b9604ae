import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createFourStemSeparator, type FourStemEstimates } from '@stem-studio/dsp/separate/four-stems';
import {
  createSpectrogramTransform,
  type SpectrogramTransform,
} from '@stem-studio/dsp/separate/stereo-spectrogram';
import { type SpectralModel, spectralRecipes } from '../packages/separator/src/backends/spectral-recipes.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { blurOfBlowsDb, musicalNoise } from './separation/artefacts.ts';
import { separateByCentreAndHpss } from './separation/centre-hpss.ts';
import { runEngine } from './separation/engine-run.ts';
import { demoPieces, type Piece, recordedPieces, type Stems, stemNames, sumOf } from './separation/pieces.ts';
import { leakDb, leftBehindDb, median, medianSdrDb } from './separation/sdr.ts';

const demoSeconds = 24;
/** The models of the built-in engine. */
const models = Object.keys(spectralRecipes) as SpectralModel[];
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

/** What is kept of each piece for one way to separate. */
interface Tally {
  readonly scores: Record<(typeof stemNames)[number], number[]>;
  /** Levels of stems that are not there. */
  readonly leaks: number[];
  /** How much of the voice is in the other stems. */
  readonly voiceLeft: number[];
  readonly blur: number[];
  /** Musical noise of the voice. */
  readonly noise: number[];
}

const emptyTally = (): Tally => ({
  scores: { vocals: [], drums: [], bass: [], other: [] },
  leaks: [],
  voiceLeft: [],
  blur: [],
  noise: [],
});

function tally(transform: SpectrogramTransform, { mixture, stems }: Piece, found: Stems, kept: Tally): void {
  for (const stem of stemNames) {
    const sdr = medianSdrDb(stems[stem], found[stem]);
    if (sdr === null) kept.leaks.push(leakDb(found[stem], mixture));
    else kept.scores[stem].push(sdr);
    if (sdr === null || stem !== 'vocals') continue;
    kept.voiceLeft.push(leftBehindDb(stems.vocals, found.vocals, mixture));
    kept.noise.push(musicalNoise(transform, stems.vocals, found.vocals));
  }
  const blur = blurOfBlowsDb(stems.drums, found.drums);
  if (!Number.isNaN(blur)) kept.blur.push(blur);
}

async function scorePieces(
  what: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  log: BenchOptions['log'],
): Promise<BenchRow[]> {
  const ours = await Promise.all(
    models.map(async (model) => ({
      model,
      separator: await createFourStemSeparator(spectralRecipes[model]),
      kept: emptyTally(),
    })),
  );
  const transform = await createSpectrogramTransform();
  const peer = emptyTally();
  const untouched = emptyTally();
  for await (const piece of pieces) {
    const { mixture } = piece;
    for (const { separator, kept } of ours) {
      const found = separator.separate(mixture.left.slice(), mixture.right.slice());
      tally(transform, piece, withRest(piece, found), kept);
    }
    tally(transform, piece, withRest(piece, separateByCentreAndHpss(transform, mixture)), peer);
    tally(transform, piece, { vocals: mixture, drums: mixture, bass: mixture, other: mixture }, untouched);
    log(`${what}: ${piece.name}`);
  }
  return ours.flatMap(({ model, kept }) => rowsOf(model, what, kept, peer, untouched));
}

function rowsOf(model: SpectralModel, what: string, kept: Tally, peer: Tally, untouched: Tally): BenchRow[] {
  const rows: BenchRow[] = [];
  for (const stem of stemNames) {
    if (kept.scores[stem].length === 0) continue;
    rows.push({
      what: `${model}: ${stem}, median SDR, ${what} (n = ${kept.scores[stem].length})`,
      value: median(kept.scores[stem]),
      unit: 'dB',
      against: `centre + HPSS ${median(peer.scores[stem]).toFixed(1)} dB, mixture ${median(untouched.scores[stem]).toFixed(1)} dB`,
      bar: `≥ ${firstBars[stem]} dB`,
    });
  }
  const row = (
    about: string,
    name: 'leaks' | 'voiceLeft' | 'blur' | 'noise',
    unit = 'dB',
    bar?: string,
  ): void => {
    if (kept[name].length === 0) return;
    rows.push({
      what: `${model}: ${about}, ${what} (n = ${kept[name].length})`,
      value: median(kept[name]),
      unit,
      against: `centre + HPSS ${median(peer[name]).toFixed(name === 'noise' ? 2 : 1)} ${unit}`,
      ...(bar === undefined ? {} : { bar }),
    });
  };
  row('a stem that is not there, median level', 'leaks', 'dB', '≤ −25 dB');
  row('how much of the voice the other stems hold, median', 'voiceLeft');
  row('drums: 10 ms before a blow, louder than they should be, median', 'blur');
  row('voice: musical noise (kurtosis against that of the truth), median', 'noise', 'decades');
  return rows;
}

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
