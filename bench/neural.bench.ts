import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  NetworkContract,
  NetworkStemCount,
  SeparatorWeights,
} from '@stem-studio/contract/separation-weights';
import { networkSegmentSamples, networkSpectrogramSize } from '@stem-studio/dsp/separate/network-spectrogram';
import { writeInsideNetwork, writeOutsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { loadNetworkRuntime } from '../packages/separator/src/backends/network-runtime.ts';
import { openNetworks, runNetwork } from '../packages/separator/src/backends/network-session.ts';
import { saveNetwork } from '../packages/separator/src/testing/save-network.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { runEngine } from './separation/engine-run.ts';
import { demoPieces } from './separation/pieces.ts';
import { writeWav } from './separation/write-wav.ts';

/** Layers of 32 filters in addition to the test network: about the load of a network of the Demucs family. */
const heavyLayers = 48;
const minutes = 2;

/** Measures the separation by networks, compared with the same network alone on as many segments. */
export const bench: Bench = {
  name: 'neural',
  about:
    'separation by a network of both contracts, or by those of a folder (--data DIR, DIR/*.onnx), beside its bare session.run over the same segments',
  async run({ dataDir, log }: BenchOptions): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
    try {
      const song = join(folder, 'song.wav');
      const [phrase] = [...demoPieces(60)];
      if (!phrase) throw new Error('there is no demo song');
      const sides = [phrase.mixture.left, phrase.mixture.right];
      await writeFile(song, await writeWav(sides, minutes));
      const networks = dataDir === null ? testNetworks(folder) : await networksIn(dataDir);
      const rows: BenchRow[] = [];
      for (const { name: network, file, contract, stems } of networks) {
        for (const keepsMemory of [false, true]) {
          const weights: SeparatorWeights = {
            contract,
            stems,
            files: [file],
            device: 'cpu',
            keeps_memory: keepsMemory,
            memory_mb: 64_000,
            queue: `bench-${process.pid}`,
          };
          const bare = await measureBare(weights);
          const whole = await runEngine(
            stems === 4 ? 'hybrid_4' : 'hybrid_6',
            song,
            join(folder, 'stems'),
            weights,
          );
          const name = `${network}, memory ${keepsMemory ? 'kept' : 'freed'}`;
          log(`${name}: bare ${bare.seconds.toFixed(1)} s, whole ${whole.seconds.toFixed(1)} s`);
          rows.push({
            what: `${name}: decode, separate, write ${minutes} minutes, process and all`,
            value: (minutes * 60) / whole.seconds,
            unit: '×',
            against: `bare session.run ${((minutes * 60) / bare.seconds).toFixed(2)} ×`,
            ratio: bare.seconds / whole.seconds,
            bar: '≤ 1.08 of its time (ratio ≥ 0.93)',
          });
          // Other work on the machine changes the times above, but hardly these.
          if (whole.processorSeconds !== null)
            rows.push({
              what: `${name}: the same in processor time`,
              value: whole.processorSeconds,
              unit: 's',
              against: `bare session.run ${bare.processorSeconds.toFixed(1)} s`,
              ratio: bare.processorSeconds / whole.processorSeconds,
              bar: '≤ 1.08 of its time (ratio ≥ 0.93)',
            });
          if (whole.peakMb !== null)
            rows.push({ what: `${name}: peak memory`, value: whole.peakMb, unit: 'MB' });
        }
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** A network to measure. */
interface MeasuredNetwork {
  readonly name: string;
  readonly file: string;
  readonly contract: NetworkContract;
  readonly stems: NetworkStemCount;
}

/** Writes a network of each contract. */
function testNetworks(folder: string): MeasuredNetwork[] {
  const gains = [0.2, 0.2, 0.3, 0.3];
  const inside = writeInsideNetwork(gains, { heavyLayers });
  const outside = writeOutsideNetwork(
    gains.map((direct) => ({ low: 0.2, high: 0.3, direct })),
    { heavyLayers },
  );
  return [
    {
      name: 'stft_inside',
      contract: 'stft_inside',
      file: saveNetwork(join(folder, 'inside.onnx'), inside),
      stems: 4,
    },
    {
      name: 'stft_outside',
      contract: 'stft_outside',
      file: saveNetwork(join(folder, 'outside.onnx'), outside),
      stems: 4,
    },
  ];
}

/** Examines the networks of a folder. */
async function networksIn(folder: string): Promise<MeasuredNetwork[]> {
  const runtime = await loadNetworkRuntime();
  const found: MeasuredNetwork[] = [];
  for (const name of globSync('*.onnx', { cwd: folder }).sort()) {
    const file = join(folder, name);
    const { sessions, shapes } = await openNetworks(runtime, {
      files: [file],
      device: 'cpu',
      keepsMemory: false,
    });
    for (const session of sessions) await session.release();
    const [shape] = shapes;
    if (shape) found.push({ name, file, contract: shape.contract, stems: shape.stems });
  }
  return found;
}

/** Returns the time of the network alone on the song's segments, including opening it. */
async function measureBare({
  contract,
  files,
  keeps_memory: keepsMemory,
}: SeparatorWeights): Promise<{ seconds: number; processorSeconds: number }> {
  const started = performance.now();
  const processor = process.cpuUsage();
  const runtime = await loadNetworkRuntime();
  const { sessions, shapes } = await openNetworks(runtime, { files, device: 'cpu', keepsMemory });
  const [session, shape] = [sessions[0], shapes[0]];
  if (!session || !shape) throw new Error('no network was opened');
  const frames = minutes * 60 * 44_100;
  const hop = Math.floor(networkSegmentSamples * 0.75);
  const waveform = new Float32Array(2 * networkSegmentSamples).map((_, i) => Math.sin(i / 30));
  const spectrogram = contract === 'stft_outside' ? new Float32Array(networkSpectrogramSize).fill(0.1) : null;
  for (let offset = 0; offset < frames; offset += hop)
    await runNetwork(runtime, session, shape, { waveform, spectrogram });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  await session.release();
  return { seconds, processorSeconds: (user + system) / 1e6 };
}
