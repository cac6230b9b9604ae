import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlayerState, createRow, type PlayerState } from '@stem-studio/audio/player/player-state';
import { type KeptMix, keptOf, mixesText, parseMixes } from './kept-mixes.ts';

const state = (changed: Partial<PlayerState> = {}): PlayerState => ({
  ...createPlayerState(['vocals', 'drums']),
  ...changed,
});
const { isSoloed: _isSoloed, ...vocals } = createRow('vocals');
const { isSoloed: _isSoloedToo, ...piano } = createRow('piano');

test('what differs from the recording is kept, solo apart', () => {
  const rows = [
    { ...createRow('vocals'), isMuted: true, isSoloed: true },
    { ...createRow('drums'), isSoloed: true },
  ];
  assert.deepEqual(keptOf(null, state({ rows, tempoPercent: 90, keySemitones: -2 })), {
    tempoPercent: 90,
    keySemitones: -2,
    rows: [{ ...vocals, isMuted: true }],
  });
});

test('nothing is kept of a player as recorded', () => {
  const before = { tempoPercent: 90, keySemitones: 0, rows: [{ ...vocals, volume: 0.5 }] };
  assert.equal(keptOf(before, state()), null);
});

test('rows of other separations, and what a player cannot change, stay as they were', () => {
  const before: KeptMix = {
    tempoPercent: 90,
    keySemitones: 1,
    rows: [
      { ...piano, volume: 0.5 },
      { ...vocals, pan: -1, volume: 0.2 },
    ],
  };
  const rows = [{ ...createRow('vocals'), volume: 0.7 }, createRow('drums')];
  const kept = keptOf(before, state({ rows, stretchRefusal: 'no', stripRefusal: 'no' }));
  assert.deepEqual(kept, {
    tempoPercent: 90,
    keySemitones: 1,
    rows: [
      { ...piano, volume: 0.5 },
      { ...vocals, pan: -1, volume: 0.7 },
    ],
  });
});

test('stored mixes are read back, killed bands included', () => {
  const killed = { ...vocals, eq: { low: Number.NEGATIVE_INFINITY, mid: -3.5, high: 12 } };
  const mixes = new Map([['one', { tempoPercent: 75.5, keySemitones: -12, rows: [killed] }]]);
  assert.deepEqual(parseMixes(mixesText(mixes)), mixes);
});

test('text of another format, version or range contains no mixes', () => {
  const out = mixesText(new Map([['one', { tempoPercent: 20, keySemitones: 0, rows: [] }]]));
  for (const text of [undefined, null, '{', '[]', '{"version":2,"tracks":[]}', out])
    assert.equal(parseMixes(text).size, 0, String(text));
});

test('the tracks changed longest ago lose their mixes beyond 500', () => {
  const mix = { tempoPercent: 90, keySemitones: 0, rows: [] };
  const mixes = new Map(Array.from({ length: 501 }, (_, index) => [`t${index}`, mix]));
  const kept = parseMixes(mixesText(mixes));
  assert.deepEqual([kept.size, kept.has('t0'), kept.has('t1')], [500, false, true]);
});
