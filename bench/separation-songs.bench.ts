import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type SeparationModelName, separationModelNames } from '@stem-studio/contract/separation-models';
import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { type EngineRun, runEngine } from './separation/engine-run.ts';
import { decodeStereo, stemNames } from './separation/pieces.ts';
import { drawSpectrograms } from './separation/spectrogram-image.ts';

/** Folder of the images; ignored by git. */
const resultsFolder = join(import.meta.dirname, 'results');
const excerpt = { fromSeconds: 40, seconds: 12 };
/** Files below this length are not whole songs. */
const leastSeconds = 60;
const sampleRate = 44_100;
const drawnSongs = 2;
const drawnModels: readonly SeparationModelName[] = ['hybrid_4', 'hybrid_4_ft'];

/**
 * Separates a whole song of a data folder with every model. Measures time and memory, and draws spectrograms of the
 * stems of two songs.
 */
export const bench: Bench = {
  name: 'separation-songs',
  about:
    'a whole song of a data folder (--data DIR) through every model: time and memory; spectrograms of the stems of two songs go to bench/results',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    if (dataDir === null) throw new Error('separation-songs needs --data DIR, with songs in DIR/music');
    const rows: BenchRow[] = [];
    let songs = 0;
    for (const file of globSync('music/**/*.{flac,mp3,wav,ogg}', { cwd: dataDir }).sort()) {
      if (songs === drawnSongs) break;
      const path = join(dataDir, file);
      const mixture = await decodeStereo(path);
      if (mixture.left.length / sampleRate < leastSeconds) continue;
      songs += 1;
      const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
      try {
        for (const model of songs === 1 ? separationModelNames : drawnModels) {
          const maxSeconds = songs === 1 ? null : excerpt.fromSeconds + excerpt.seconds;
          const run = await runEngine(model, path, folder, undefined, maxSeconds);
          log(`${basename(file)}: ${model}, ${run.seconds.toFixed(1)} s`);
          if (songs === 1) rows.push(...rowsOf(model, run, mixture.left.length / sampleRate));
          if (drawnModels.includes(model))
            await writeSpectrograms(mixture, folder, `${basename(file)} ${model}`, log);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
    return rows;
  },
};

function rowsOf(
  model: SeparationModelName,
  { seconds, peakMb, processorSeconds }: EngineRun,
  songSeconds: number,
): BenchRow[] {
  const what = `${model}: a song of ${Math.round(songSeconds)} s`;
  return [
    { what: `${what}, time`, value: seconds, unit: 's' },
    ...(processorSeconds === null
      ? []
      : [{ what: `${what}, processor time`, value: processorSeconds, unit: 's' }]),
    ...(peakMb === null
      ? []
      : [{ what: `${what}, peak memory`, value: peakMb, unit: 'MB', bar: '≤ 600 MB' }]),
  ];
}

async function writeSpectrograms(
  mixture: StereoAudio,
  stemFolder: string,
  name: string,
  log: BenchOptions['log'],
): Promise<void> {
  const stems = await Promise.all(stemNames.map((stem) => decodeStereo(join(stemFolder, `${stem}.wav`))));
  await mkdir(resultsFolder, { recursive: true });
  const path = join(resultsFolder, `${name}.png`);
  await writeFile(path, await drawSpectrograms([mixture, ...stems], excerpt));
  log(`mixture, ${stemNames.join(', ')} from ${excerpt.fromSeconds} s: ${path}`);
}
