import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createRecordingState } from '@stem-studio/audio/deck/mix-recorder';
import type { RecordingNote } from '@stem-studio/audio/recording/recording-messages';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { createStore } from 'zustand/vanilla';
import { followOnAir } from './follow-on-air.ts';
import { onAir } from './on-air.ts';

const names: Readonly<Record<string, string>> = { one: 'One', two: 'Two' };

function openDecks(scope: Scope) {
  const session = createStore(createDeckSessionState);
  const recording = createStore(createRecordingState);
  const notes: RecordingNote[] = [];
  let seconds = 0;
  const decks = {
    session,
    recording,
    recorded: () => ({ seconds, notes }),
    noteInRecording: (note: RecordingNote) => void notes.push(note),
  };
  followOnAir(scope, decks, async (id) => {
    const title = names[id];
    if (title === undefined) throw new Error('no such track');
    return { title, artist: 'Somebody' };
  });
  const set = (deck: DeckId, changes: Partial<DeckState>) =>
    session.setState(({ decks: both, ...rest }) => ({
      ...rest,
      decks: { ...both, [deck]: { ...both[deck], ...changes } },
    }));
  const fade = (crossfader: number) =>
    session.setState(({ mixer, ...rest }) => ({ ...rest, mixer: { ...mixer, crossfader } }));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const seen = () => notes.map((note) => [note.seconds, note.deck, note.song?.title ?? null]);
  const at = (now: number) => void (seconds = now);
  return { session, recording, set, fade, at, settled, seen };
}

test('notes which songs are on air from the start of a recording', async (t) => {
  const scope = new Scope();
  t.after(() => scope.dispose());
  const { recording, set, fade, at, settled, seen } = openDecks(scope);
  set('a', { track_id: 'one', is_playing: true });
  await settled();
  assert.deepEqual(seen(), [], 'nothing is recorded yet');
  fade(-1);
  recording.setState({ isRecording: true });
  set('b', { track_id: 'two', is_playing: true });
  await settled();
  assert.deepEqual(seen(), [[0, 'a', 'One']], 'deck B is faded out');
  at(30);
  fade(0);
  await settled();
  at(60);
  fade(1);
  await settled();
  assert.deepEqual(seen().slice(1), [
    [30, 'b', 'Two'],
    [60, 'a', null],
  ]);
  at(90);
  set('b', { is_playing: false });
  await settled();
  assert.deepEqual(seen().at(-1), [90, 'b', null]);
});

test('names a track that the library does not know as unknown', async (t) => {
  const scope = new Scope();
  t.after(() => scope.dispose());
  const { recording, set, settled, seen } = openDecks(scope);
  recording.setState({ isRecording: true });
  set('a', { track_id: 'gone', is_playing: true });
  await settled();
  assert.deepEqual(seen(), [[0, 'a', 'Unknown track']]);
});

test('a deck is on air from −20 dB of fader and crossfader together', () => {
  const state = createDeckSessionState();
  const playing = { ...state.decks.a, track_id: 'one', is_playing: true };
  const withVolume = (volume: number, crossfader: number) =>
    onAir({
      decks: { a: { ...playing, strip: { ...playing.strip, volume } }, b: state.decks.b },
      mixer: { ...state.mixer, crossfader },
    }).a;
  assert.equal(withVolume(0.1, -1), 'one');
  assert.equal(withVolume(0.09, -1), null);
  assert.equal(withVolume(0.2, 0), 'one');
  assert.equal(withVolume(0.19, 0), null, 'the linear curve has −6 dB in the middle');
});
