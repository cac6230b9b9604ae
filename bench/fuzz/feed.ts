import { setTimeout as sleep } from 'node:timers/promises';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import * as fc from 'fast-check';
import type { BenchRow } from '../bench.ts';

const SEED = 20_261_121;

/** A reader and the file for its test. */
export interface Feeding {
  /** Name in the rows. */
  readonly name: string;
  readonly file: Uint8Array;
  /** Number of damaged copies; identical in every run. */
  readonly count: number;
  /** Reads one file; returns false if it was rejected with a reason. An exception is a crash. */
  readonly read: (bytes: Uint8Array) => Promise<boolean>;
  readonly log: (line: string) => void;
}

/** Runs a reader on damaged files. Returns rows with the number of crashes, the slowest file, and the memory. */
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
    // The decoders' own memory is freed when the garbage collector runs.
    await sleep(0);
    mostMb = Math.max(mostMb, process.memoryUsage.rss() / 2 ** 20);
  }
  const outcome = `${taken} of ${count} read, ${count - taken - crashed} refused`;
  log(`${name}: ${outcome}, ${crashed} crashed`);
  return [
    { what: `${name}: neither read nor refused (${outcome})`, value: crashed, unit: 'files', bar: '0' },
    { what: `${name}: slowest file`, value: slowestMs, unit: 'ms', bar: '≤ 5000' },
    { what: `${name}: memory of the process`, value: mostMb, unit: 'MB', bar: '≤ 1000' },
  ];
}
