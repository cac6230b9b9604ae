import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlayerState, flatEq, withEq, withRow } from '@stem-studio/audio/player/player-state';
import { requestedMix } from '@stem-studio/contract/resources/mix';
import { mixOf } from './mix-export.ts';

const job = '01920000-0000-7000-8000-000000000000';
const playing = { ...createPlayerState(['vocals', 'drums', 'bass']), separation: job };

test('a mix has what is audible: faders, pan, equaliser, tempo and key, without muted rows', () => {
  let rows = withRow(playing.rows, 0, { isMuted: true });
  rows = withRow(rows, 1, { pan: -0.5, volume: 1.5 });
  rows = withEq(rows, 2, 'low', Number.NEGATIVE_INFINITY);
  rows = withEq(rows, 2, 'high', 6);
  const mix = mixOf({ ...playing, rows, tempoPercent: 90.13, keySemitones: -2 }, 'flac');
  assert.deepEqual(mix, {
    job_id: job,
    rows: [
      { source: 'drums', volume: 1.5, pan: -0.5, eq: flatEq },
      { source: 'bass', volume: 1, pan: 0, eq: { low: null, mid: 0, high: 6 } },
    ],
    tempo: 90.13,
    key: -2,
    range: null,
    format: 'flac',
  });
  assert.equal(requestedMix.safeParse(mix).success, true);
});

test('a soloed row is the mix, a song without stems is one row, and silence is none', () => {
  const soloed = withRow(playing.rows, 2, { isSoloed: true });
  assert.deepEqual(
    mixOf({ ...playing, rows: soloed }, 'wav')?.rows.map(({ source }) => source),
    ['bass'],
  );
  const whole = mixOf(createPlayerState(['mix']), 'wav');
  assert.deepEqual([whole?.job_id, whole?.rows[0]?.source], [null, 'mix']);
  const silent = playing.rows.map((row) => ({ ...row, isMuted: true }));
  assert.equal(mixOf({ ...playing, rows: silent }, 'wav'), null);
});
