import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordingNote } from '@stem-studio/audio/recording/recording-messages';
import { cueSheet, recordedSongs, trackListText } from './recorded-songs.ts';

const songOf = (title: string) => ({ track_id: `id of ${title}`, title, artist: `Artist of ${title}` });
const note = (seconds: number, deck: 'a' | 'b', title: string | null): RecordingNote => ({
  seconds,
  deck,
  song: title === null ? null : songOf(title),
});
const listed = (notes: readonly RecordingNote[], endSeconds: number) =>
  recordedSongs(notes, endSeconds).map(({ title, startSeconds, endSeconds: end }) => [
    title,
    startSeconds,
    end,
  ]);

test('lists songs in the order in which they came on air, with overlaps', () => {
  const notes = [note(0, 'a', 'One'), note(170, 'b', 'Two'), note(200, 'a', null), note(360, 'a', 'Three')];
  assert.deepEqual(listed(notes, 400), [
    ['One', 0, 200],
    ['Two', 170, 400],
    ['Three', 360, 400],
  ]);
});

test('lists a song once that was cut for up to 30 s or moved to the other deck', () => {
  const cut = [note(0, 'a', 'One'), note(20, 'a', null), note(50, 'a', 'One'), note(90, 'a', null)];
  assert.deepEqual(listed(cut, 200), [['One', 0, 90]]);
  const moved = [note(0, 'a', 'One'), note(60, 'b', 'One'), note(61, 'a', null)];
  assert.deepEqual(listed(moved, 100), [['One', 0, 100]]);
});

test('lists a song twice that returned after more than 30 s', () => {
  const notes = [note(0, 'a', 'One'), note(20, 'a', null), note(51, 'a', 'One')];
  assert.deepEqual(listed(notes, 70), [
    ['One', 0, 20],
    ['One', 51, 70],
  ]);
});

test('leaves out a song that was on air for less than 8 s', () => {
  const notes = [note(0, 'a', 'One'), note(30, 'b', 'Tried'), note(37, 'b', null)];
  assert.deepEqual(listed(notes, 60), [['One', 0, 60]]);
  assert.deepEqual(listed([], 60), []);
});

test('formats a text and a cue sheet beside the WAV file', () => {
  const songs = recordedSongs([note(1.5, 'a', 'One "live"'), note(4000.5, 'b', 'Two')], 5000);
  assert.equal(
    trackListText(songs),
    '0:00:01  Artist of One "live" – One "live"\n1:06:40  Artist of Two – Two\n',
  );
  assert.equal(
    cueSheet(songs, 'mix.wav'),
    [
      'FILE "mix.wav" WAVE',
      '  TRACK 01 AUDIO',
      `    TITLE "One 'live'"`,
      `    PERFORMER "Artist of One 'live'"`,
      '    INDEX 01 00:00:00',
      '  TRACK 02 AUDIO',
      '    TITLE "Two"',
      '    PERFORMER "Artist of Two"',
      '    INDEX 01 66:40:37',
      '',
    ].join('\n'),
  );
});
