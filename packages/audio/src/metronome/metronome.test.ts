import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createStore } from 'zustand/vanilla';
import { createPlayerState } from '../player/player-state.ts';
import { planClicks } from './click-plan.ts';
import { type ClickOutput, Metronome } from './metronome.ts';

const beats = Array.from({ length: 40 }, (_, index) => 0.1 + index * 0.5);
const downbeats = beats.filter((_, index) => index % 4 === 0);
const downbeatSet = new Set(downbeats);
/** Output latency. */
const latencySeconds = 0.03;

/** A player and an output on one simulated clock, with the metronome between them. */
function openClicks(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const state = createStore(() => ({ ...createPlayerState(['mix']), durationSeconds: 20 }));
  const clicks: { at: number; isDownbeat: boolean }[] = [];
  let now = 5;
  let position = 0;
  const output: ClickOutput = {
    renderedSeconds: () => now,
    audibleSeconds: () => now - latencySeconds,
    click(at, isDownbeat) {
      const click = { at, isDownbeat };
      clicks.push(click);
      return () => void clicks.splice(clicks.indexOf(click), 1);
    },
    setGain: () => undefined,
    dispose: () => undefined,
  };
  const player = { state, positionSeconds: () => position };
  const metronome = new Metronome(player, output);
  t.after(() => metronome.dispose());
  const pass = (seconds: number) => {
    for (let step = 0; step < Math.round(seconds / 0.025); step++) {
      now += 0.025;
      const { transport, loop, isLooping, tempoPercent } = state.getState();
      if (transport === 'playing') position += (0.025 * tempoPercent) / 100;
      if (isLooping && loop && position >= loop.endSeconds) position -= loop.endSeconds - loop.startSeconds;
      t.mock.timers.tick(25);
    }
  };
  return {
    state,
    metronome,
    clicks,
    pass,
    seek: (seconds: number) => void (position = seconds),
    /** Returns the audible position at an audio-clock time, as long as playback is continuous. */
    positionAt: (atSeconds: number) => position + (atSeconds - (now - latencySeconds)),
  };
}

test('clicks on every audible beat, with another tone on downbeats', (t) => {
  const { state, metronome, clicks, pass, positionAt } = openClicks(t);
  metronome.follow({ beats, downbeats });
  pass(1);
  assert.equal(clicks.length, 0, 'nothing clicks while nothing plays');
  state.setState({ transport: 'playing' });
  pass(4);
  assert.ok(clicks.length >= 8);
  for (const [index, { at, isDownbeat }] of clicks.entries()) {
    assert.ok(Math.abs(positionAt(at) - (beats[index] ?? 0)) < 1e-9, `click ${index} at ${positionAt(at)}`);
    assert.equal(isDownbeat, index % 4 === 0);
  }
});

test('a pause and a jump cancel the clicks to come', (t) => {
  const { state, metronome, clicks, pass, positionAt, seek } = openClicks(t);
  metronome.follow({ beats, downbeats });
  state.setState({ transport: 'playing' });
  pass(0.45);
  assert.equal(clicks.length, 2);
  state.setState({ transport: 'paused' });
  pass(0.05);
  assert.equal(clicks.length, 1, 'the click that has played is left');
  seek(10.3);
  state.setState({ transport: 'playing' });
  pass(0.05);
  const next = clicks.at(-1);
  assert.ok(next && Math.abs(positionAt(next.at) - 10.6) < 1e-9);
});

test('follows a loop without a repeated or missing beat', (t) => {
  const { state, metronome, clicks, pass } = openClicks(t);
  metronome.follow({ beats, downbeats });
  state.setState({
    transport: 'playing',
    isLooping: true,
    loop: { startSeconds: 0.1, endSeconds: 2.1 },
  });
  pass(9);
  for (const [index, { at }] of clicks.entries())
    assert.ok(index === 0 || Math.abs(at - (clicks[index - 1]?.at ?? 0) - 0.5) < 1e-6, `click ${index}`);
  assert.ok(clicks.length >= 18);
});

test('applies an edited grid at once', (t) => {
  const { state, metronome, clicks, pass, positionAt } = openClicks(t);
  metronome.follow({ beats, downbeats });
  state.setState({ transport: 'playing' });
  pass(0.3);
  metronome.follow({ beats: beats.map((beat) => beat + 0.2), downbeats: [] });
  pass(1);
  const positions = clicks.map(({ at }) => positionAt(at)).filter((position) => position > 0.5);
  for (const position of positions)
    assert.ok(
      Math.abs(((position - 0.3) % 0.5) - 0) < 1e-6 || Math.abs(((position - 0.3) % 0.5) - 0.5) < 1e-6,
      `${position}`,
    );
  assert.ok(positions.length >= 2);
});

test('a disposed metronome leaves no click and no timer', (t) => {
  const { state, metronome, clicks, pass } = openClicks(t);
  metronome.follow({ beats, downbeats });
  state.setState({ transport: 'playing' });
  pass(0.4);
  const before = clicks.length;
  metronome.dispose();
  assert.ok(clicks.length < before);
  pass(2);
  assert.ok(clicks.length < before);
});

test('ignores a loop that ends before the position, and plays no clicks without beats', () => {
  const loop = { startSeconds: 0, endSeconds: 1 };
  const plan = planClicks(beats, downbeatSet, 3, 1, loop);
  assert.deepEqual(
    plan.map(({ afterSeconds }) => Math.round(afterSeconds * 1000)),
    [100, 600],
  );
  assert.deepEqual(planClicks([], downbeatSet, 0, 1, null), []);
  assert.equal(planClicks(beats, downbeatSet, 0, 1, { startSeconds: 0.2, endSeconds: 0.2 }).length, 1);
});

test('at half the tempo the clicks are twice as far apart', (t) => {
  const { state, metronome, clicks, pass } = openClicks(t);
  metronome.follow({ beats, downbeats });
  state.setState({ transport: 'playing', tempoPercent: 50 });
  pass(6);
  for (const [index, { at }] of clicks.entries())
    assert.ok(index === 0 || Math.abs(at - (clicks[index - 1]?.at ?? 0) - 1) < 1e-6, `click ${index}`);
  assert.ok(clicks.length >= 5);
});
