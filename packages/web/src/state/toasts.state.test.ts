import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeToasts, toast, toastError } from './toasts.state.ts';

test('returns pending toasts once, oldest first', () => {
  toastError('It was not saved', 'The disk is full.');
  toast({ title: 'Deleted', description: '', isError: false, timeoutMs: 5000, action: null });
  assert.deepEqual(
    takeToasts().map(({ title, isError }) => ({ title, isError })),
    [
      { title: 'It was not saved', isError: true },
      { title: 'Deleted', isError: false },
    ],
  );
  assert.deepEqual(takeToasts(), []);
});
