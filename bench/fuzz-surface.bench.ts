import { randomInt } from 'node:crypto';
import { fuzzSurface } from '@stem-studio/server/testing/fuzz/fuzz-surface';
import type { Bench, BenchRow } from './bench.ts';

const REQUESTS = 12_000;

/** Sends every endpoint unlikely requests that the OpenAPI document allows. */
export const bench: Bench = {
  name: 'fuzz-surface',
  about: 'requests to every endpoint, made of the OpenAPI document and judged by it: no failure, no leak',
  run: async ({ log }): Promise<BenchRow[]> => {
    const ends: (() => Promise<void> | void)[] = [];
    try {
      const seed = randomInt(2 ** 31 - 1);
      const report = await fuzzSurface({ after: (work) => ends.push(work) }, { count: REQUESTS, seed, log });
      const { requests, byStatus, problems, neverAnswered, milliseconds } = report;
      if (problems.length + neverAnswered.length > 0)
        throw new Error(
          `seed ${seed}: ${problems.length} problems\n${problems.slice(0, 20).join('\n')}\nnever answered: ${neverAnswered.join(', ')}`,
        );
      const statuses = [...byStatus].toSorted(([a], [b]) => a - b);
      const refusedPercent = (100 * (byStatus.get(429) ?? 0)) / requests;
      return [
        { what: 'requests', value: requests, unit: '', bar: '≥ 10,000' },
        {
          what: 'replies that break the document, failures in the log',
          value: problems.length,
          unit: '',
          bar: '0',
        },
        { what: 'refused as too many', value: refusedPercent, unit: '%', bar: '≤ 1 %' },
        ...statuses.map(([status, count]) => ({ what: `status ${status}`, value: count, unit: '' })),
        { what: 'requests a second, judged', value: requests / (milliseconds / 1000), unit: '/s' },
      ];
    } finally {
      for (const end of ends) await end();
    }
  },
};
