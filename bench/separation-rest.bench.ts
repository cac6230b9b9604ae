import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeparatorWeights } from '@stem-studio/contract/separation-weights';
import type { SeparatorRequest } from '@stem-studio/contract/separator';
import { writeInsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { saveNetwork } from '../packages/separator/src/testing/save-network.ts';
import { startSeparator } from '../packages/separator/src/testing/separator-process.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { processorSecondsOf } from './separation/engine-run.ts';
import { demoPieces } from './separation/pieces.ts';
import { median } from './separation/sdr.ts';
import { writeWav } from './separation/write-wav.ts';

const songSeconds = 60;
const processes = 3;

/**
 * Measures the savings of a separator process that stays alive between jobs. Requires Linux, which reports the
 * processor time of a process.
 */
export const bench: Bench = {
  name: 'separation-rest',
  about: `a song of ${songSeconds} s as the second job of a process that rests, beside the first: processor time, and what is resident between jobs`,
  async run({ log }: BenchOptions): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
    try {
      const song = join(folder, 'song.wav');
      const [phrase] = [...demoPieces(songSeconds)];
      if (!phrase) throw new Error('there is no demo song');
      await writeFile(song, await writeWav([phrase.mixture.left, phrase.mixture.right], songSeconds / 60));
      const network = saveNetwork(join(folder, 'network.onnx'), writeInsideNetwork([0.2, 0.2, 0.3, 0.3]));
      const weights: SeparatorWeights = {
        contract: 'stft_inside',
        stems: 4,
        files: [network],
        device: 'cpu',
        keeps_memory: true,
        memory_mb: 64_000,
        queue: `bench-${process.pid}`,
      };
      const request: SeparatorRequest = {
        input_path: song,
        output_dir: join(folder, 'stems'),
        model: 'hybrid_4',
        bit_depth: '16',
        max_seconds: null,
        max_duration_seconds: 3600,
        stays: true,
      };
      const rows: BenchRow[] = [];
      for (const [name, asked] of [
        ['hybrid_4, built in', request],
        ['a network that does next to nothing', { ...request, weights }],
      ] as const) {
        const runs: TwoJobs[] = [];
        for (let i = 0; i < processes; i++) {
          const run = await separateTwice(asked);
          runs.push(run);
          log(`${name}: ${run.firstSeconds.toFixed(2)} s, then ${run.secondSeconds.toFixed(2)} s`);
        }
        const [first, second] = [
          median(runs.map((run) => run.firstSeconds)),
          median(runs.map((run) => run.secondSeconds)),
        ];
        rows.push({
          what: `${name}: processor time of the second job`,
          value: second,
          unit: 's',
          against: `the first ${first.toFixed(2)} s`,
          ratio: first / second,
        });
        const value = median(runs.map((run) => run.restingMb));
        rows.push({ what: `${name}: resident while it rests`, value, unit: 'MB' });
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface TwoJobs {
  readonly firstSeconds: number;
  readonly secondSeconds: number;
  readonly restingMb: number;
}

/** Runs the same job twice in one process. */
async function separateTwice(request: SeparatorRequest): Promise<TwoJobs> {
  const line = JSON.stringify(request);
  let { promise, resolve } = Promise.withResolvers<void>();
  const { child, ended } = startSeparator(line, ({ type }) => {
    if (type === 'result') resolve();
  });
  const pid = child.pid as number;
  await promise;
  const firstSeconds = processorSecondsOf(pid) ?? Number.NaN;
  ({ promise, resolve } = Promise.withResolvers<void>());
  child.stdin.write(`${line}\n`);
  await promise;
  const secondSeconds = (processorSecondsOf(pid) ?? Number.NaN) - firstSeconds;
  const restingMb = await residentMb(pid);
  child.stdin.end();
  await ended;
  return { firstSeconds, secondSeconds, restingMb };
}

async function residentMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? Number.NaN) / 1024;
}
