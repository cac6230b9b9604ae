import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobState } from '@stem-studio/contract/resources/job';
import { groupJobs, tookText } from './job-groups.ts';

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

test('tells how long a job took without its time in the queue', () => {
  const finished_at = '2026-11-23T10:01:04Z';
  assert.equal(tookText({ started_at: '2026-11-23T10:00:00Z', finished_at }), 'took 1 min 4 s');
  assert.equal(tookText({ started_at: null, finished_at }), '', 'cancelled in the queue');
});
