import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import { channels } from '@stem-studio/contract/service';
import * as fc from 'fast-check';
import { fuzzSurface } from './testing/fuzz/fuzz-surface.ts';
import { hostileText } from './testing/fuzz/hostile-values.ts';
import { rawClient, socketUrl } from './testing/socket-client.ts';
import { openTestApp } from './testing/test-app.ts';

const requests = 1500;
const seed = 20_260_101;

test('any request to any endpoint gets a reply that conforms to the OpenAPI document and does no harm', async (t) => {
  const report = await fuzzSurface(t, { count: requests, seed });
  assert.deepEqual(report.problems.slice(0, 5), [], `${report.problems.length} problems, seed ${seed}`);
  assert.ok(report.requests >= requests);
  const refused = report.byStatus.get(429) ?? 0;
  assert.ok(refused <= report.requests / 100, `${refused} of ${report.requests} were too many`);
  assert.deepEqual(report.neverAnswered, [], 'requests that never get through test nothing');
});

test('an unknown topic of the service is not found under any name', async (t) => {
  const logLines: string[] = [];
  const { service, registerUser } = await openTestApp(t, { logLines });
  const { headers } = await registerUser();
  const url = socketUrl(await service.listen(0, '127.0.0.1'));
  const names = fc
    .sample(hostileText, { numRuns: 150, seed })
    .map((text) => text.slice(0, 60).toWellFormed());
  // A topic without parameters has one name only.
  const named = Object.values(channels).filter(({ params }) => Object.keys(params.shape).length > 0);
  for (const spec of named) {
    const client = await rawClient(t, url, 'vsn=2.0.0', headers);
    assert.equal(client.status, 101);
    for (const name of names) {
      const params = Object.fromEntries(Object.keys(spec.params.shape).map((param) => [param, name]));
      client.send(['1', '1', topicOf(spec, params), 'phx_join', {}]);
      const [, , , event, payload] = await client.next();
      assert.equal(event, 'phx_reply');
      assert.deepEqual(payload, { status: 'error', response: { reason: 'not_found' } }, name);
    }
    client.client.terminate();
  }
  assert.deepEqual(
    logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
    [],
  );
});
