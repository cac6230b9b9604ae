import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { separationModelNames } from '@stem-studio/contract/separation-models';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { runEngine } from './separation/engine-run.ts';
import { demoPieces } from './separation/pieces.ts';

/** Measures the speed and memory of the built-in separation; requires an idle machine. */
export const bench: Bench = {
  name: 'separation-speed',
  about: 'each model of the built-in engine: speed and memory of the whole process',
  run: ({ log }: BenchOptions): Promise<BenchRow[]> => measureEngine(log),
};

/** Measures the whole process on songs of 4 and of 16 minutes, concatenated from the demo songs. */
async function measureEngine(log: BenchOptions['log']): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
  try {
    const rows: BenchRow[] = [];
    const phrases = [...demoPieces(60)].map(({ mixture }) => [mixture.left, mixture.right]);
    for (const minutes of [4, 16]) {
      const file = join(folder, `${minutes}.wav`);
      await writeSong(file, phrases, minutes);
      for (const model of separationModelNames) {
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
