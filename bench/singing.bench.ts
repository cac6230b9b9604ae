import { createSingingKernel, SINGING_SAMPLE_RATE } from '@stem-studio/dsp/feature/singing';
import { createMonoStream } from '@stem-studio/dsp/plan/mono-stream';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import { inventSongs } from './analysis-accuracy/invented/invented-songs.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { demoPieces, type Piece, recordedPieces, sumOf } from './separation/pieces.ts';
import { Verdicts } from './singing/verdicts.ts';

const RATE = 44_100;
const DEMO_SECONDS = 40;
const INVENTED = 6;
/**
 * Levels of the voice relative to the mixture: present above the first, absent below the second, not scored between
 * them.
 */
const THERE_DB = -20;
const GONE_DB = -35;
const AUDIBLE_DB = -50;

/** Measures the detection of singing, second by second. */
export const bench: Bench = {
  name: 'singing',
  about:
    'whether somebody sings, second by second, in the demo songs, in invented songs and in mixtures of which the voice is known apart (--data DIR), which are also analysed without it',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    await loadFft();
    const demo = new Verdicts();
    for (const piece of demoPieces(DEMO_SECONDS)) judgePiece(piece, demo, log);
    const invented = new Verdicts();
    for (const song of inventSongs(INVENTED)) {
      const detected = singingIn(song.render());
      detected.forEach((value, second) => {
        const isSung = song.sung.some(({ start, end }) => start <= second + 0.3 && end >= second + 0.7);
        const isNear = song.sung.some(({ start, end }) => start < second + 1.5 && end > second - 0.5);
        if (isSung || !isNear) invented.add(value, isSung);
      });
      log(`${song.name}: ${detected.filter((value) => value >= 0.5).length} of ${detected.length} s sung`);
    }
    const rows = [...demo.rows('demo: '), ...invented.rows('invented: ')];
    if (dataDir === null) return rows;
    const recorded = new Verdicts();
    for await (const piece of recordedPieces(dataDir)) judgePiece(piece, recorded, log);
    return [...rows, ...recorded.rows('recordings: ')];
  },
};

/** Scores a mixture by its voice, and the same mixture without the voice, which has no singing. */
function judgePiece({ name, stems, mixture }: Piece, verdicts: Verdicts, log: (line: string) => void): void {
  const detected = singingIn([mixture.left, mixture.right]);
  let sung = 0;
  detected.forEach((value, second) => {
    const voiceDb = levelDb([stems.vocals.left, stems.vocals.right], second);
    const mixtureDb = levelDb([mixture.left, mixture.right], second);
    const isSung = voiceDb > Math.max(AUDIBLE_DB, mixtureDb + THERE_DB);
    sung += Number(isSung);
    if (mixtureDb > AUDIBLE_DB && (isSung || voiceDb < mixtureDb + GONE_DB)) verdicts.add(value, isSung);
  });
  log(
    `${name}: ${sung} of ${detected.length} s sung, detected in ${detected.filter((value) => value >= 0.5).length}`,
  );
  if (sung === 0) return;
  const band = sumOf([stems.drums, stems.bass, stems.other]);
  const without = singingIn([band.left, band.right]);
  without.forEach((value, second) => {
    if (levelDb([band.left, band.right], second) > AUDIBLE_DB) verdicts.add(value, false);
  });
  log(`${name} without its voice: detected in ${without.filter((value) => value >= 0.5).length} s`);
}

function singingIn(samples: Float32Array[]): Float32Array {
  const stream = createMonoStream({ fromRate: RATE, toRate: SINGING_SAMPLE_RATE, channels: samples.length });
  const kernel = createSingingKernel();
  kernel.push(stream.push(samples));
  kernel.push(stream.flush());
  const found = kernel.finish();
  kernel.dispose();
  return found;
}

/** Returns the mean square of a second, in decibels. */
function levelDb(sides: readonly Float32Array[], second: number): number {
  let sum = 0;
  for (const samples of sides)
    for (const sample of samples.subarray(second * RATE, (second + 1) * RATE)) sum += sample * sample;
  return 10 * Math.log10(sum / (sides.length * RATE) + 1e-12);
}
