import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errorText } from './api-error.ts';
import { errorFrom } from './call.ts';

test('the messages about single fields are what the person reads', () => {
  const error = errorFrom(
    422,
    JSON.stringify({ error: 'invalid', code: 'VALIDATION_ERROR', details: { bpm: ['must be 20 to 400'] } }),
  );
  assert.equal(error.code, 'VALIDATION_ERROR');
  assert.equal(errorText(error), 'Must be 20 to 400.');
});

test('a limit says when to try again', () => {
  const error = errorFrom(429, JSON.stringify({ error: 'slow down', code: 'RATE_LIMITED', retry_after: 12 }));
  assert.equal(error.retry_after, 12);
  assert.match(errorText(error), /in 12 s/);
});

test('an answer that is not the service is told by its status', () => {
  assert.equal(errorText(errorFrom(502, '<html>')), 'The studio answered with 502.');
});

test('a service that cannot be reached is not an error of the user', () => {
  const error = new ApiError('gone', { status: 0, code: 'OFFLINE' });
  assert.match(errorText(error), /Nothing was lost/);
});
