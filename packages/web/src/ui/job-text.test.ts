import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobState } from '@stem-studio/contract/resources/job';
import { currentJob, progressText, stageText } from './job-text.ts';

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

test('shows the reason why a job is queued', () => {
  assert.equal(stageText(state({ message: 'waits for the import' })), 'Queued: waits for the import');
  assert.equal(stageText(state({})), 'Queued');
});

test('shows stage, percent and time left of a running job', () => {
  const running = state({ status: 'processing', progress: 45, message: 'Separating', eta_seconds: 34 });
  assert.equal(stageText(running), 'Separating');
  assert.equal(progressText(running), '45 % · 30 s left');
});

test('shows the stage of a running job with a capital, whatever the service writes', () => {
  for (const status of ['downloading', 'processing'] as const) {
    const starting = state({ status, message: 'starting the separation engine' });
    assert.equal(stageText(starting), 'Starting the separation engine');
  }
});

test('shows why a job failed, and that a cancelled one was cancelled', () => {
  assert.equal(stageText(state({ status: 'failed', error: 'disk full' })), 'Disk full');
  assert.equal(stageText(state({ status: 'failed', error: 'cancelled' })), 'Cancelled');
});

test('prefers running to queued to failed jobs', () => {
  const download = state({ status: 'completed' });
  const waiting = state({ status: 'queued' });
  const running = state({ status: 'processing' });
  const failed = state({ status: 'failed', error: 'x' });
  assert.equal(currentJob({ download, separation: waiting, analysis: running })?.type, 'analysis');
  assert.equal(currentJob({ download, separation: waiting, analysis: failed })?.type, 'processing');
  assert.equal(currentJob({ download, separation: failed, analysis: download })?.type, 'processing');
  assert.equal(
    currentJob({ download, separation: state({ status: 'failed', error: 'cancelled' }), analysis: null }),
    null,
  );
});
