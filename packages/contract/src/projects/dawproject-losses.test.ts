import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCompressor } from '../resources/lane-effects.ts';
import { after, song } from '../testing/song-edits.ts';
import { dawprojectLosses } from './dawproject-losses.ts';

/** @spec DAWproject export */
test('names what a DAWproject does not hold, and nothing of a project that it holds', () => {
  const held = after(
    song,
    { operation: 'cut', params: { start_ms: 1000, end_ms: 2000 } },
    { operation: 'fade_in', params: { start_ms: 0, end_ms: 500, curve: 'linear' } },
    { operation: 'transpose', params: { value: 3 } },
    {
      operation: 'warp',
      params: {
        points: [
          { from_ms: 0, to_ms: 0 },
          { from_ms: 1000, to_ms: 1200 },
        ],
      },
    },
    { operation: 'marker', params: { start_ms: 0, label: 'Intro' } },
  );
  assert.deepEqual(dawprojectLosses(held), []);
  const lost = after(
    song,
    { operation: 'reverse', params: { clip_ids: ['vocals', 'bass'], value: 1 } },
    {
      operation: 'fade_out',
      params: { start_ms: 9000, end_ms: 10_000, curve: 's_curve', stem_type: 'drums' },
    },
    { operation: 'eq', params: { stem_type: 'bass', low_db: -3 } },
    { operation: 'compressor', params: { stem_type: 'bass', value: newCompressor } },
    { operation: 'reverb_send', params: { stem_type: 'vocals', value: 20 } },
    {
      operation: 'add_notes',
      params: { stem_type: 'bass', notes: [{ start_ms: 0, length_ms: 100, pitch: 40, velocity: 80 }] },
    },
  );
  const losses = dawprojectLosses(lost);
  assert.equal(losses.length, 6);
  for (const [index, text] of [
    /^2 reversed clips/,
    /fades on 1 clip/,
    /equaliser of 1 lane/,
    /soft knee of 1 compressor/,
    /reverb of 1\.8 s/,
    /instruments/,
  ].entries())
    assert.match(losses[index] ?? '', text);
});
