import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzSurface } from './testing/fuzz/fuzz-surface.ts';

const requests = 1500;
const seed = 20_260_101;

test('whatever is sent to whatever endpoint is answered as the OpenAPI document says, and harms nothing', async (t) => {
  const report = await fuzzSurface(t, { count: requests, seed });
  assert.deepEqual(report.problems.slice(0, 5), [], `${report.problems.length} problems, seed ${seed}`);
  assert.ok(report.requests >= requests);
  const refused = report.byStatus.get(429) ?? 0;
  assert.ok(refused <= report.requests / 100, `${refused} of ${report.requests} were too many`);
  assert.deepEqual(report.neverAnswered, [], 'requests that never get through test nothing');
});
