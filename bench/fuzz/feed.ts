import { setTimeout as sleep } from 'node:timers/promises';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import * as fc from 'fast-check';
import type { BenchRow } from '../bench.ts';

const SEED = 20_261_121;

/** What is fed, and to what. */
export interface Feeding {
  /** As the rows name it. */
  readonly name: string;
  readonly file: Uint8Array;
  /** How many damaged files are made of it; the same ones at every run. */
  readonly count: number;
  /** Reads one; false says that it refused it with a reason. A throw is a crash. */
  readonly read: (bytes: Uint8Array) => Promise<boolean>;
  readonly log: (line: string) => void;
}

/** Feeds a reader with damaged files: rows of how many crashed it, of the slowest, and of the memory that it all took. */
export async function feed({ name, file, count, read, log }: Feeding): Promise<BenchRow[]> {
  let [taken, crashed, slowestMs, mostMb] = [0, 0, 0, 0];
  for (const [index, change] of fc.sample(mutations, { numRuns: count, seed: SEED }).entries()) {
    const start = performance.now();
    try {
      if (await read(mutateFile(file, change))) taken++;
    } catch (error) {
      if (crashed++ === 0)
        log(`${name}: file ${index}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - start);
    if (index % 50 !== 0) continue;
    // The decoders' own memory goes when the collector gets a turn.
    await sleep(0);
    mostMb = Math.max(mostMb, process.memoryUsage.rss() / 2 ** 20);
  }
  const heard = `${taken} of ${count} read, ${count - taken - crashed} refused`;
  log(`${name}: ${heard}, ${crashed} crashed`);
  return [
    { what: `${name}: neither read nor refused (${heard})`, value: crashed, unit: 'files', bar: '0' },
    { what: `${name}: slowest file`, value: slowestMs, unit: 'ms', bar: '≤ 5000' },
    { what: `${name}: memory of the process`, value: mostMb, unit: 'MB', bar: '≤ 1000' },
  ];
}
