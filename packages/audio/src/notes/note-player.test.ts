import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createStore } from 'zustand/vanilla';
import { createPlayerState } from '../player/player-state.ts';
import { type NoteOutput, NotePlayer } from './note-player.ts';

const latencySeconds = 0.05;
/** A note of half a second on every second, rising by a semitone. */
const notes = Array.from({ length: 20 }, (_, index) => ({
  startSeconds: index,
  endSeconds: index + 0.5,
  pitch: 48 + index,
  velocity: 100,
}));

/** Opens a player of the notes with a clock and an output that the test controls. */
function openNotes(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const state = createStore(() => createPlayerState(['mix']));
  let now = 10;
  let position = 0;
  const played: { pitch: number; at: number; duration: number; isCancelled: boolean }[] = [];
  const output: NoteOutput = {
    renderedSeconds: () => now,
    audibleSeconds: () => now - latencySeconds,
    play({ pitch }, at, duration) {
      const note = { pitch, at, duration, isCancelled: false };
      played.push(note);
      return () => (note.isCancelled = true);
    },
    dispose: () => undefined,
  };
  const player = { state, positionSeconds: () => position };
  const notePlayer = new NotePlayer(player, output, notes);
  t.after(() => notePlayer.dispose());
  return {
    state,
    notePlayer,
    audible: () => played.filter(({ isCancelled }) => !isCancelled),
    played,
    seek: (seconds: number) => (position = seconds),
    pass: (seconds: number) => {
      for (let step = 0; step < Math.round(seconds / 0.025); step++) {
        now += 0.025;
        const { transport, loop, isLooping, tempoPercent } = state.getState();
        if (transport === 'playing') position += (0.025 * tempoPercent) / 100;
        if (isLooping && loop && position >= loop.endSeconds) position -= loop.endSeconds - loop.startSeconds;
        t.mock.timers.tick(25);
      }
    },
  };
}

test('plays every note once, at its time and for its length, while the song plays', (t) => {
  const { state, audible, played, pass, seek } = openNotes(t);
  pass(1);
  assert.equal(played.length, 0, 'nothing plays while the song is paused');
  seek(0.5);
  state.setState({ transport: 'playing' });
  pass(4);
  assert.deepEqual(
    audible().map(({ pitch }) => pitch),
    [49, 50, 51, 52],
  );
  // Song time 0.5 was audible at clock time 11 − 0.05.
  for (const { pitch, at, duration } of audible()) {
    assert.ok(Math.abs(at - (10.95 + pitch - 48 - 0.5)) < 1e-6, `pitch ${pitch} at ${at}`);
    assert.ok(Math.abs(duration - 0.5) < 1e-9);
  }
});

test('notes follow the tempo', (t) => {
  const { state, audible, pass, seek } = openNotes(t);
  seek(0.5);
  state.setState({ transport: 'playing', tempoPercent: 50 });
  pass(4);
  const [first, second] = audible();
  assert.ok(first && second);
  assert.ok(Math.abs(second.at - first.at - 2) < 1e-6);
  assert.ok(Math.abs(first.duration - 1) < 1e-9);
});

test('a pause and a jump end the notes', (t) => {
  const { state, played, pass, seek } = openNotes(t);
  seek(0.5);
  state.setState({ transport: 'playing' });
  pass(0.6);
  assert.deepEqual(
    played.map(({ pitch, isCancelled }) => [pitch, isCancelled]),
    [[49, false]],
  );
  seek(7.8);
  pass(0.3);
  assert.deepEqual(
    played.map(({ pitch, isCancelled }) => [pitch, isCancelled]),
    [
      [49, true],
      [56, false],
    ],
  );
  state.setState({ transport: 'paused' });
  pass(0.05);
  assert.ok(played.every(({ isCancelled }) => isCancelled));
});

test('notes follow the loop', (t) => {
  const { state, audible, pass, seek } = openNotes(t);
  seek(2.5);
  state.setState({ transport: 'playing', loop: { startSeconds: 2, endSeconds: 4 }, isLooping: true });
  pass(4);
  assert.deepEqual(
    audible().map(({ pitch }) => pitch),
    [51, 50, 51, 50],
  );
});
