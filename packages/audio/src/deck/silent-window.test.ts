import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { type DeckMessage, deckMessages } from '@stem-studio/contract/events/decks';
import { near } from '@stem-studio/renderer/testing/near';
import { DeckController } from './deck-controller.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';
const track = { track_bpm: 120, duration_ms: 240_000, hot_cues: [] };

/** The decks of a window that shows and controls, while another one plays the audio. */
function openWindow() {
  const clock = { now: 1_000_000 };
  const decks = new DeckController({
    files: {
      song: () => Promise.reject(new Error('only a window that plays audio loads songs')),
      stems: () => Promise.reject(new Error('only a window that plays audio loads stems')),
      grid: async () => ({
        beats: Array.from({ length: 480 }, (_, beat) => beat / 2),
        downbeats: Array.from({ length: 120 }, (_, bar) => bar * 2),
        bpm: 120,
        beatsPerBar: 4,
      }),
    },
    fetchRange: () => Promise.reject(new Error('only a window that plays audio fetches')),
    openDecoder: () => {
      throw new Error('only a window that plays audio decodes');
    },
    openPort: () => Promise.reject(new Error('only a window with audio has a DJ engine')),
    memoryBytes: 0,
    now: () => clock.now,
  });
  const sent: DeckMessage[] = [];
  decks.onMessage((message) => sent.push(message));
  const load = { event: 'load_track', deck: 'a', track_id: TRACK } as const;
  decks.take(applyDeckMessage(createDeckSessionState(), load, { now: clock.now, track }));
  return { decks, sent, clock };
}

const arrived = () => new Promise((resolve) => setImmediate(resolve));

test('shows a command at once and sends it', () => {
  const { decks, sent } = openWindow();
  decks.togglePlay('a');
  assert.equal(decks.session.getState().decks.a.is_playing, true);
  assert.deepEqual(sent, [{ event: 'toggle_play', deck: 'a', position_ms: 0 }]);
  decks.dispose();
});

test('a command without effect is not sent', () => {
  const { decks, sent } = openWindow();
  decks.togglePlay('b');
  decks.pressCue('b');
  decks.pressHotCue('b', 0);
  decks.beatLoop('b', 4);
  decks.beatJump('b', 4);
  assert.deepEqual(sent, []);
  decks.dispose();
});

test('a window without audio keeps the position by the clock of the service', () => {
  const { decks, clock } = openWindow();
  decks.togglePlay('a');
  decks.setTempo('a', 8);
  clock.now += 10_000;
  near(decks.positionSeconds('a'), 10.8, 1e-9);
  decks.dispose();
});

test('commands of other windows are shown and not sent again', () => {
  const { decks, sent, clock } = openWindow();
  const played = applyDeckMessage(decks.session.getState(), { event: 'play', deck: 'a' }, { now: clock.now });
  decks.take(played);
  assert.equal(decks.session.getState(), played);
  assert.deepEqual(sent, []);
  decks.dispose();
});

test('beat commands use the grid of the track, in every window', async () => {
  const { decks, sent, clock } = openWindow();
  await arrived();
  decks.togglePlay('a');
  clock.now += 10_200;
  decks.beatLoop('a', 4);
  const { loop } = decks.session.getState().decks.a;
  assert.deepEqual(loop, { start_ms: 10_000, end_ms: 12_000, active: true });
  decks.doubleLoop('a');
  assert.equal(decks.session.getState().decks.a.loop?.end_ms, 14_000);
  for (const { event, ...payload } of sent) deckMessages[event].parse(payload);
  decks.dispose();
});

test('the tempo fader is limited by its range', () => {
  const { decks } = openWindow();
  decks.setTempo('a', 50);
  near(decks.session.getState().decks.a.tempo_percent, 8, 1e-9);
  decks.dispatch({ event: 'set_deck', deck: 'a', changes: { tempo_range: 50 } });
  decks.setTempo('a', -50);
  near(decks.session.getState().decks.a.tempo_percent, -50, 1e-9);
  decks.dispose();
});
