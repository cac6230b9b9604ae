import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeckMessage } from '../events/decks.ts';
import type { DeckSessionState } from '../resources/deck-session.ts';
import { applyDeckMessage } from './apply-deck-message.ts';
import { applyTrackLoudness, autoGainDb } from './auto-gain.ts';
import { createDeckSessionState } from './deck-session-state.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';

/** Returns a session with a track of a loudness on deck A after further messages. */
function loaded(
  loudness_lufs: number | null,
  true_peak_db: number | null,
  ...messages: readonly DeckMessage[]
): DeckSessionState {
  const track = { track_bpm: 120, duration_ms: 240_000, hot_cues: [], loudness_lufs, true_peak_db };
  const load: DeckMessage = { event: 'load_track', deck: 'a', track_id: TRACK };
  return [load, ...messages].reduce(
    (session, message) => applyDeckMessage(session, message, { now: 0, track }),
    createDeckSessionState(),
  );
}

const reference = (lufs: number): DeckMessage => ({
  event: 'set_mixer',
  changes: { auto_gain_reference_lufs: lufs },
});

test('a track gets the gain from its loudness to the reference, a boost at most up to a true peak of −1 dB', () => {
  const gainOf = (loudness_lufs: number | null, true_peak_db: number | null) =>
    loaded(loudness_lufs, true_peak_db).decks.a.auto_gain_db;
  assert.equal(gainOf(-8, 0.4), -6);
  assert.equal(gainOf(-20, -9), 6);
  assert.equal(gainOf(-20, -3), 2);
  assert.equal(gainOf(-20, -0.5), 0);
  assert.equal(gainOf(-20, null), 0);
  assert.equal(gainOf(null, null), 0);
  const off = { is_auto_gain_on: false, auto_gain_reference_lufs: -14 };
  assert.equal(autoGainDb({ loudness_lufs: -8, true_peak_db: 0 }, off), 0);
});

test('another reference changes a paused deck at once and a playing one when it pauses', () => {
  assert.equal(loaded(-8, 0, reference(-18)).decks.a.auto_gain_db, -10);
  const playing = loaded(-8, 0, { event: 'play', deck: 'a', position_ms: 0 }, reference(-18));
  assert.equal(playing.decks.a.auto_gain_db, -6);
  const paused = applyDeckMessage(playing, { event: 'pause', deck: 'a' }, { now: 1000 });
  assert.equal(paused.decks.a.auto_gain_db, -10);
});

test('a track that is measured while it plays keeps its level until it pauses', () => {
  const playing = loaded(null, null, { event: 'play', deck: 'a', position_ms: 0 });
  const measured = applyTrackLoudness(playing, TRACK, { loudness_lufs: -9, true_peak_db: 0 });
  assert.deepEqual([measured.decks.a.loudness_lufs, measured.decks.a.auto_gain_db], [-9, 0]);
  const paused = applyDeckMessage(measured, { event: 'pause', deck: 'a' }, { now: 1000 });
  assert.equal(paused.decks.a.auto_gain_db, -5);
  const other = '0198c0de-0000-7000-8000-000000000002';
  assert.equal(applyTrackLoudness(playing, other, { loudness_lufs: -9, true_peak_db: 0 }), playing);
});

test('the gain knob is independent of auto-gain', () => {
  const { a } = loaded(-8, 0, { event: 'set_strip', deck: 'a', changes: { gain_db: 3 } }).decks;
  assert.deepEqual([a.strip.gain_db, a.auto_gain_db], [3, -6]);
});

test('a loaded track brings the stems of its separation', () => {
  const job = '0198c0de-0000-7000-8000-000000000003';
  const separation = { processing_job_id: job, stems: ['vocals', 'drums'] as const };
  const track = { track_bpm: 120, duration_ms: 240_000, hot_cues: [], separation };
  const load: DeckMessage = { event: 'load_track', deck: 'a', track_id: TRACK };
  const { a } = applyDeckMessage(createDeckSessionState(), load, { now: 0, track }).decks;
  assert.equal(a.processing_job_id, job);
  assert.deepEqual(
    a.stems.map(({ stem_type, volume }) => [stem_type, volume]),
    [
      ['vocals', 1],
      ['drums', 1],
    ],
  );
});
