import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errorText } from './api-error.ts';
import { errorFrom } from './call.ts';

test('shows the messages about single fields', () => {
  const error = errorFrom(
    422,
    JSON.stringify({ error: 'invalid', code: 'VALIDATION_ERROR', details: { bpm: ['must be 20 to 400'] } }),
  );
  assert.equal(error.code, 'VALIDATION_ERROR');
  assert.equal(errorText(error), 'Must be 20 to 400.');
});

test('shows when to retry after a rate limit', () => {
  const error = errorFrom(429, JSON.stringify({ error: 'slow down', code: 'RATE_LIMITED', retry_after: 12 }));
  assert.equal(error.retry_after, 12);
  assert.match(errorText(error), /in 12 s/);
});

test('describes a reply without an envelope by its status', () => {
  assert.equal(errorText(errorFrom(502, '<html>')), 'The studio responded with status 502.');
});

test('reports that the service cannot be reached', () => {
  const error = new ApiError('gone', { status: 0, code: 'OFFLINE' });
  assert.match(errorText(error), /Nothing was lost/);
});
