import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { untilJob } from '../../../testing/library-steps.ts';

test('gives cloud separations their own concurrency limit, apart from that of local ones', async (t) => {
  const all = await openCloudLibrary(t, { concurrency: 1 }, { config: { processingConcurrency: 1 } });
  const { library } = all;
  const { context } = library;
  all.cloud.behaviour.isHeld = true;
  const [first, second] = [await all.addTrack(2), await all.addTrack(1.5)];
  const cloud = await all.askFor(first.id, { stem_types: ['drums'] });
  const next = await all.askFor(second.id, { stem_types: ['drums'] });
  await context.queue.start(context);
  await all.untilAsked('check');
  const local = (await library.ask(separate, { body: { track_id: first.id } })).body.data.job_id;
  await untilJob(context, local, 'completed');
  assert.deepEqual(
    [(await all.jobOf(cloud)).status, (await all.jobOf(next)).status],
    ['processing', 'queued'],
  );
  all.cloud.behaviour.isHeld = false;
  for (const id of [cloud, next]) await untilJob(context, id, 'completed');
});
