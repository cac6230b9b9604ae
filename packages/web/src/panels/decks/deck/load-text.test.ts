import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from './load-text.ts';

const deck = { status: 'ready', loadedRatio: 0.88, isStreaming: false, isBuffering: false } as const;

test('says how much of a song that is kept as a whole is loaded, and nothing once it is', () => {
  assert.equal(loadText(deck), 'Loading 88 %');
  assert.equal(loadText({ ...deck, loadedRatio: 0.999 }), 'Loading 99 %');
  assert.equal(loadText({ ...deck, loadedRatio: 1 }), '');
  assert.equal(loadText({ ...deck, status: 'empty' }), '');
});

test('shows no percentage of a song that loads as it plays', () => {
  assert.equal(loadText({ ...deck, isStreaming: true }), 'Loads as it plays');
  assert.equal(loadText({ ...deck, isStreaming: true, isBuffering: true }), 'Waiting for audio…');
  assert.equal(loadText({ ...deck, status: 'loading', isStreaming: true }), 'Loading…');
});
