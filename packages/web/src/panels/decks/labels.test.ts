import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { near } from '@stem-studio/renderer/testing/near';
import { lengthText, zoomedSpan } from '../../state/decks/dj-state.ts';
import { remainingSeconds } from '../../state/decks/remaining-seconds.ts';
import {
  bandText,
  crossfaderText,
  filterText,
  headphoneMixText,
  signed,
  soundingKey,
  soundingSemitones,
  syncText,
} from './labels.ts';

test('values are formatted with their units', () => {
  assert.deepEqual([bandText(-1), bandText(0), bandText(1)], ['−∞ dB', '0.0 dB', '+6.0 dB']);
  assert.deepEqual(
    [filterText(0), filterText(-0.5), filterText(1)],
    ['off', 'low-pass 50 %', 'high-pass 100 %'],
  );
  assert.deepEqual(
    [crossfaderText(0), crossfaderText(-0.4), crossfaderText(1)],
    ['middle', '40 % to A', '100 % to B'],
  );
  assert.deepEqual(
    [headphoneMixText(-1), headphoneMixText(0), headphoneMixText(1)],
    ['cue only', '50 % master', 'master only'],
  );
  assert.deepEqual([signed(1.25, 2), signed(-3), signed(-0.001, 2)], ['+1.25', '−3', '0.00']);
});

test('a locked key does not depend on the tempo, an unlocked one does', () => {
  assert.equal(soundingSemitones(2, 6, true), 2);
  near(soundingSemitones(0, 5.946, false), 1, 0.001);
  assert.deepEqual(soundingKey('A minor', 2), { key: 'B minor', camelot: '10A' });
  assert.deepEqual(soundingKey('C major', -1), { key: 'B major', camelot: '1B' });
  assert.deepEqual(soundingKey('', 2), { key: '', camelot: '' });
});

test('lengths of loops are written as fractions below one beat', () => {
  assert.deepEqual([lengthText(1 / 32), lengthText(0.5), lengthText(16)], ['1/32', '1/2', '16']);
});

test('the waveforms zoom by steps, up to both limits', () => {
  assert.deepEqual(
    [zoomedSpan(8, 1), zoomedSpan(8, -1), zoomedSpan(2, -1), zoomedSpan(64, 1)],
    [12, 6, 2, 64],
  );
});

test('the remaining time is playing time: a faster deck ends earlier', () => {
  assert.equal(remainingSeconds(180, 60, 0), 120);
  assert.equal(remainingSeconds(180, 60, 50), 80);
  assert.equal(remainingSeconds(180, 200, 0), 0);
});

test('the sync label gives the reason why there is nothing to follow', () => {
  const empty = createDeckSessionState();
  const load = (session: typeof empty, deck: 'a' | 'b', track_bpm: number | null) =>
    applyDeckMessage(
      session,
      { event: 'load_track', deck, track_id: '0190a0b0-0000-7000-8000-000000000001' },
      { now: 0, track: { track_bpm, duration_ms: 1000, hot_cues: [] } },
    );
  assert.equal(syncText(empty, 'b'), 'Sync deck B: no track on deck A');
  const both = load(load(empty, 'a', 120), 'b', 128);
  assert.equal(syncText(both, 'b'), 'Sync deck B');
  const alone = applyDeckMessage(both, { event: 'play', deck: 'b' }, { now: 0 });
  assert.equal(syncText(alone, 'b'), 'Sync deck B: it is the tempo leader');
  assert.equal(syncText(alone, 'a'), 'Sync deck A');
  assert.equal(syncText(load(both, 'a', null), 'b'), 'Sync deck B: the track on deck A has no beats');
  assert.equal(syncText(load(both, 'b', null), 'b'), 'Sync deck B: its track has no beats');
});
