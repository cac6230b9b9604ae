import { createBeatNetworkKernel, loadBeatNetwork } from '@stem-studio/dsp/rhythm/beat-network';
import { BEAT_NETWORK_RATE } from '@stem-studio/dsp/rhythm/beat-network-input';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const SECONDS = 120;
const ROUNDS = 5;
const BLOCK = 8_192;

/** Returns the processor time of this process in seconds. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Measures the speed of the beat network, from samples to probabilities. */
export const bench: Bench = {
  name: 'beat-network',
  about: 'the beat network, from samples at 22,050 Hz to probabilities; processor time of one thread',
  async run({ log }: BenchOptions): Promise<BenchRow[]> {
    await loadFft();
    const loadStart = cpuSeconds();
    await loadBeatNetwork();
    const loadSeconds = cpuSeconds() - loadStart;
    const samples = Float32Array.from({ length: SECONDS * BEAT_NETWORK_RATE }, (_, n) => {
      const beat = (n / BEAT_NETWORK_RATE) % 0.5;
      const noise = (Math.imul(n, 2_654_435_761) >>> 0) / 2 ** 31 - 1;
      return 0.1 * Math.sin(0.06 * n) + 0.5 * Math.exp(-20 * beat) * noise;
    });
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const start = cpuSeconds();
      const kernel = createBeatNetworkKernel();
      for (let at = 0; at < samples.length; at += BLOCK) kernel.push(samples.subarray(at, at + BLOCK));
      kernel.finish();
      kernel.dispose();
      // The first round compiles.
      if (round > 0) times.push(cpuSeconds() - start);
    }
    const median = times.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0;
    log(`rounds: ${times.map((time) => `${(SECONDS / time).toFixed(0)} ×`).join(', ')}`);
    return [
      {
        what: 'samples to probabilities, one thread',
        value: Math.round(SECONDS / median),
        unit: '× realtime',
        bar: '≥ 150 ×',
      },
      { what: 'loading the network', value: Math.round(1_000 * loadSeconds) / 1_000, unit: 's' },
    ];
  },
};
