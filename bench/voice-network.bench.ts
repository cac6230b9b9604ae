import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVoiceNetwork, voiceBins, voiceWindowFrames } from '@stem-studio/dsp/separate/voice-network';
import { loadNetworkRuntime } from '../packages/separator/src/backends/network-runtime.ts';
import { voiceWeights } from '../packages/separator/src/backends/voice-weights.ts';
import { saveNetwork } from '../packages/separator/src/testing/save-network.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { writeVoiceGraph } from './separation/voice-graph.ts';

const windowSeconds = (voiceWindowFrames * 1024) / 44_100;
/** Pairs of runs that are measured, after one that is not. */
const pairs = 4;

/** Returns the processor time of all threads of this process in seconds. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Measures the network of the voice beside ONNX Runtime in the same process, one thread each, by processor time. */
export const bench: Bench = {
  name: 'voice-network',
  about:
    'the voice network by our kernels, beside the same graph in ONNX Runtime; processor time of one thread',
  async run({ log }: BenchOptions): Promise<BenchRow[]> {
    const weights = await readFile(voiceWeights);
    const loadStart = cpuSeconds();
    const network = await createVoiceNetwork(weights);
    const loadSeconds = cpuSeconds() - loadStart;
    for (const side of [network.input.left, network.input.right])
      for (let i = 0; i < side.length; i++)
        side[i] = (20 * ((Math.imul(i, 2_654_435_761) >>> 0) / 2 ** 32)) / (1 + (i % voiceBins) / 64);
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
    try {
      const runtime = await loadNetworkRuntime();
      const file = saveNetwork(join(folder, 'voice.onnx'), writeVoiceGraph(weights));
      const runtimeStart = cpuSeconds();
      const session = await runtime.InferenceSession.create(file, { intraOpNumThreads: 1 });
      const runtimeLoadSeconds = cpuSeconds() - runtimeStart;
      const dims = [1, 2, voiceWindowFrames, voiceBins];
      const mixture = new Float32Array(2 * voiceWindowFrames * voiceBins);
      mixture.set(network.input.left);
      mixture.set(network.input.right, mixture.length / 2);
      const feeds = { mixture: new runtime.Tensor('float32', mixture, dims) };
      let ours = 0;
      let theirs = 0;
      let difference = 0;
      for (let pair = 0; pair <= pairs; pair++) {
        const start = cpuSeconds();
        const { accompaniment } = network.estimate();
        const middle = cpuSeconds();
        const { accompaniment: expected } = await session.run(feeds, ['voice', 'accompaniment']);
        const end = cpuSeconds();
        if (pair > 0) {
          ours += middle - start;
          theirs += end - middle;
        }
        for (const [i, value] of accompaniment.left.entries())
          difference = Math.max(difference, Math.abs(value - Number(expected?.data[i])));
        log(`pair ${pair}: ${(middle - start).toFixed(2)} s, ONNX Runtime ${(end - middle).toFixed(2)} s`);
      }
      await session.release();
      const speed = (pairs * windowSeconds) / ours;
      return [
        {
          what: 'both networks over a window of 11.9 s, one thread',
          value: speed,
          unit: '×',
          against: `ONNX Runtime ${((pairs * windowSeconds) / theirs).toFixed(1)} ×`,
          ratio: theirs / ours,
          bar: '≥ 0.6 of ONNX Runtime',
        },
        {
          what: 'opening the network',
          value: loadSeconds,
          unit: 's',
          against: `ONNX Runtime ${runtimeLoadSeconds.toFixed(2)} s`,
          ratio: runtimeLoadSeconds / loadSeconds,
          bar: '≤ 0.5 s',
        },
        { what: 'largest difference of a magnitude from ONNX Runtime', value: difference, unit: '' },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
