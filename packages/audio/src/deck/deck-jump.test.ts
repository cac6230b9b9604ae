import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDeck } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { jumpBetween } from './deck-jump.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';

function deck(fields: Partial<DeckState>): DeckState {
  return { ...emptyDeck, track_id: TRACK, duration_ms: 240_000, ...fields };
}

const playing = deck({ is_playing: true, position_ms: 10_000, position_at: 0 });

test('a command of this window causes no jump when the service confirms it with its own timestamp', () => {
  const sent = { ...playing, position_at: 400 };
  assert.equal(jumpBetween(playing, sent, 10_500, 500), null);
});

test('a playing deck continues where other windows predict a slightly different position', () => {
  const sent = { ...playing, position_ms: 12_000, position_at: 2_100 };
  assert.equal(jumpBetween(playing, sent, 12_000, 2_100), null);
  assert.equal(jumpBetween(playing, sent, 11_900, 2_100), null);
});

test('a playing deck follows a jump of another window, plus the time since', () => {
  const sent = { ...playing, position_ms: 60_000, position_at: 2_000 };
  assert.deepEqual(jumpBetween(playing, sent, 12_050, 2_050), { ms: 60_050, keepsPhase: false });
});

test('treats the same cue pressed again in another window as a jump', () => {
  const sent = { ...playing, position_at: 5_000 };
  assert.deepEqual(jumpBetween(playing, sent, 15_000, 5_000), { ms: 10_000, keepsPhase: false });
});

test('keeps a deck stopped by another window at its audible position, and moves a paused one anywhere', () => {
  const stopped = { ...playing, is_playing: false, position_ms: 12_000, position_at: 2_000 };
  assert.equal(jumpBetween(playing, stopped, 12_030, 2_030), null);
  const moved = { ...stopped, position_ms: 12_010, position_at: 3_000 };
  assert.deepEqual(jumpBetween(stopped, moved, 12_000, 3_000), { ms: 12_010, keepsPhase: false });
});

test('measures the distance of two positions in a loop along the shorter way round', () => {
  const loop = { start_ms: 10_000, end_ms: 12_000, active: true };
  const looping = { ...playing, loop };
  const sent = { ...looping, position_ms: 10_010, position_at: 2_000 };
  assert.equal(jumpBetween(looping, sent, 11_990, 2_000), null);
});

test('a loop that another window shortened causes no jump', () => {
  const loop = { start_ms: 10_000, end_ms: 12_000, active: true };
  const looping = { ...playing, loop };
  const halved = { ...looping, loop: { ...loop, end_ms: 11_000 }, position_ms: 10_600, position_at: 1_600 };
  assert.equal(jumpBetween(looping, halved, 11_600, 1_600), null);
});

test('follows every jump of another window, however small, and lets unmoved decks continue', () => {
  const sent = { ...playing, position_ms: 12_100, position_at: 2_000 };
  assert.equal(jumpBetween(playing, sent, 12_000, 2_000), null);
  assert.deepEqual(jumpBetween(playing, sent, 12_000, 2_000, true), { ms: 12_100, keepsPhase: false });
  const again = { ...playing, position_at: 400 };
  assert.deepEqual(jumpBetween(playing, again, 10_400, 400, true), { ms: 10_000, keepsPhase: false });
  const late = { ...playing, position_ms: 11_000, position_at: 2_000 };
  assert.equal(jumpBetween(playing, late, 12_000, 2_000, false), null);
});

test('another window that stops a deck leaves it at its position, or at its cue when it moves there', () => {
  const stopped = { ...playing, is_playing: false, position_ms: 11_900, position_at: 2_000 };
  assert.equal(jumpBetween(playing, stopped, 12_000, 2_000, true), null);
  const cued = { ...stopped, cue_ms: 11_900 };
  assert.deepEqual(jumpBetween({ ...playing, cue_ms: 11_900 }, cued, 12_000, 2_000, true), {
    ms: 11_900,
    keepsPhase: false,
  });
});
