import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { fileNameOf, originalAddress } from './track-files.ts';

const audio = { file_path: 'downloads/1/high.mp3' } as Track['audio'];

test('names a file by artist and title, without characters that file systems refuse', () => {
  assert.equal(fileNameOf({ artist: 'AC/DC', title: 'Who?', audio }), 'AC_DC - Who_.mp3');
  assert.equal(fileNameOf({ artist: '', title: 'Untitled', audio: null }), 'Untitled');
});

test('returns no address of a track without audio', () => {
  assert.equal(originalAddress({ audio }), '/files/downloads/1/high.mp3');
  assert.equal(originalAddress({ audio: null }), undefined);
});
