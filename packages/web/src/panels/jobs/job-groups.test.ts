import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobState } from '@stem-studio/contract/resources/job';
import { groupJobs } from './job-groups.ts';

function state(fields: Partial<JobState>): JobState {
  return {
    job_id: 'j',
    status: 'queued',
    progress: 0,
    message: '',
    eta_seconds: null,
    error: null,
    ...fields,
  };
}

test('groups jobs by state, running first', () => {
  const jobs = (['completed', 'failed', 'queued', 'downloading'] as const).map(
    (status) => ({ ...state({ status }), id: status, import_id: null }) as unknown as Job,
  );
  assert.deepEqual(
    groupJobs(jobs).map(({ group }) => group),
    ['Running', 'Queued', 'Failed', 'Finished'],
  );
});

test('combines the finished jobs of an import, but not the failed ones', () => {
  const one = (id: string, import_id: string | null, status: Job['status'], error: string | null = null) =>
    ({ ...state({ status, error }), id, import_id }) as unknown as Job;
  const jobs = [
    one('a', 'album', 'completed'),
    one('b', null, 'completed'),
    one('c', 'album', 'failed', 'cancelled'),
    one('d', 'album', 'failed', 'disk full'),
  ];
  const [failed, finished] = groupJobs(jobs);
  assert.deepEqual(
    failed?.entries.map((entry) => entry.kind),
    ['job'],
  );
  assert.equal(finished?.count, 3);
  assert.deepEqual(
    finished?.entries.map((entry) => (entry.kind === 'job' ? entry.job.id : entry.jobs.map(({ id }) => id))),
    [['a', 'c'], 'b'],
  );
});
