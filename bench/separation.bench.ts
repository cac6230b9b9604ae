import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createFourStemSeparator, type FourStemEstimates } from '@stem-studio/dsp/separate/four-stems';
import { createSpectrogramTransform } from '@stem-studio/dsp/separate/stereo-spectrogram';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { separateByCentreAndHpss } from './separation/centre-hpss.ts';
import { runEngine } from './separation/engine-run.ts';
import { demoPieces, type Piece, recordedPieces, type Stems, stemNames, sumOf } from './separation/pieces.ts';
import { leakDb, median, medianSdrDb } from './separation/sdr.ts';

const demoSeconds = 24;
const firstBars = { vocals: 3, drums: 3.5, bass: 3, other: 4 } as const;

/** The built-in separation: how fast, in how much memory, and how well beside two peers in the same run. */
export const bench: Bench = {
  name: 'separation',
  about: 'the built-in engine: speed, memory, and stems beside the mixture itself and centre + HPSS',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    const rows = [...(await measureEngine(log))];
    rows.push(...(await scorePieces('demo songs', demoPieces(demoSeconds), log)));
    if (dataDir !== null) rows.push(...(await scorePieces('recordings', recordedPieces(dataDir), log)));
    return rows;
  },
};

/** The whole process on a song of 4 minutes and on one of 16, made of the demo songs one after another. */
async function measureEngine(log: BenchOptions['log']): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
  try {
    const rows: BenchRow[] = [];
    const phrases = [...demoPieces(60)].map(({ mixture }) => [mixture.left, mixture.right]);
    for (const minutes of [4, 16]) {
      const file = join(folder, `${minutes}.wav`);
      await writeSong(file, phrases, minutes);
      const { seconds, peakMb } = await runEngine(file, join(folder, `stems-${minutes}`));
      log(`${minutes} minutes: ${seconds.toFixed(1)} s`);
      const what = `separate ${minutes} minutes, start of the process included`;
      rows.push({ what, value: (minutes * 60) / seconds, unit: '×', bar: '≥ 15 × on two cores' });
      if (peakMb !== null) {
        rows.push({
          what: `peak memory, ${minutes} minutes`,
          value: peakMb,
          unit: 'MB',
          bar: '≤ 600 MB, flat',
        });
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
  const separator = await createFourStemSeparator();
  const transform = await createSpectrogramTransform();
  const scores = { ours: emptyScores(), peer: emptyScores(), mixture: emptyScores() };
  const leaks = { ours: [] as number[], peer: [] as number[] };
  let count = 0;
  for await (const piece of pieces) {
    const { mixture, stems } = piece;
    const ours = withRest(piece, separator.separate(mixture.left.slice(), mixture.right.slice()));
    const peer = withRest(piece, separateByCentreAndHpss(transform, mixture));
    for (const stem of stemNames) {
      const sdr = medianSdrDb(stems[stem], ours[stem]);
      if (sdr === null) {
        leaks.ours.push(leakDb(ours[stem], mixture));
        leaks.peer.push(leakDb(peer[stem], mixture));
        continue;
      }
      scores.ours[stem].push(sdr);
      scores.peer[stem].push(medianSdrDb(stems[stem], peer[stem]) as number);
      scores.mixture[stem].push(medianSdrDb(stems[stem], mixture) as number);
    }
    count++;
    log(`${what}: ${piece.name}`);
  }
  const rows: BenchRow[] = stemNames.map((stem) => ({
    what: `${stem}, median SDR, ${what} (n = ${scores.ours[stem].length})`,
    value: median(scores.ours[stem]),
    unit: 'dB',
    against: `centre + HPSS ${median(scores.peer[stem]).toFixed(1)} dB, mixture ${median(scores.mixture[stem]).toFixed(1)} dB`,
    bar: `≥ ${firstBars[stem]} dB`,
  }));
  if (leaks.ours.length > 0) {
    rows.push({
      what: `a stem that is not there, median level, ${what} (n = ${leaks.ours.length})`,
      value: median(leaks.ours),
      unit: 'dB',
      against: `centre + HPSS ${median(leaks.peer).toFixed(1)} dB`,
      bar: '≤ −25 dB',
    });
  }
  return count === 0 ? [] : rows;
}

const emptyScores = (): Record<(typeof stemNames)[number], number[]> => ({
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
