import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { ClickOutput } from '../metronome/metronome.ts';
import { type MixOutputs, MixPlayer } from './mix-player.ts';

/** The parts of an audio element that the player uses. */
class TestElement extends EventTarget {
  currentTime = 0;
  duration = 30;
  volume = 1;
  paused = true;
  ended = false;
  preload = '';
  src = '';
  readonly buffered = { length: 0, start: () => 0, end: () => 0 };
  play(): Promise<void> {
    this.paused = false;
    this.dispatchEvent(new Event('playing'));
    return Promise.resolve();
  }
  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
  load(): void {}
  removeAttribute(): void {}
}

const beats = Array.from({ length: 40 }, (_, beat) => 0.5 * beat);
const downbeats = beats.filter((_, beat) => beat % 4 === 0);

function openPlayer(t: TestContext, createStrip?: MixOutputs['createStrip']) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const tones: StemTone[] = [];
  const clicks: { at: number; isDownbeat: boolean }[] = [];
  const clickOutput: ClickOutput = {
    renderedSeconds: () => 5,
    audibleSeconds: () => 5,
    setGain: () => {},
    click(at, isDownbeat) {
      const click = { at, isDownbeat };
      clicks.push(click);
      return () => void (clicks.includes(click) && clicks.splice(clicks.indexOf(click), 1));
    },
    dispose: () => {},
  };
  const element = new TestElement();
  const player = new MixPlayer('song.mp3', element as unknown as HTMLAudioElement, {
    createStrip:
      createStrip ?? (async () => ({ set: (tone) => tones.push(tone), wake: () => {}, dispose: () => {} })),
    createClicks: () => clickOutput,
  });
  t.after(() => player.dispose());
  return { element, player, tones, clicks };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a song is routed through pan and equaliser when one of them is moved', async (t) => {
  const { player, tones } = openPlayer(t);
  player.setPan(0, 0);
  await settle();
  assert.equal(tones.length, 0, 'nothing is routed at rest');
  player.setPan(0, -2);
  player.setEq(0, 'low', Number.NEGATIVE_INFINITY);
  player.setEq(0, 'high', 40);
  await settle();
  assert.deepEqual(tones.at(-1), { pan: -1, low: 0, mid: 1, high: 10 ** (12 / 20) });
  const [row] = player.state.getState().rows;
  assert.deepEqual([row?.pan, row?.eq], [-1, { low: Number.NEGATIVE_INFINITY, mid: 0, high: 12 }]);
});

test('a browser that cannot route it keeps pan and equaliser at rest and says why', async (t) => {
  const { player } = openPlayer(t, async () => {
    throw new Error('Pan and equaliser work only over https or on localhost.');
  });
  player.setPan(0, 0.5);
  await settle();
  player.setEq(0, 'mid', -6);
  const { rows, stripRefusal } = player.state.getState();
  assert.deepEqual([rows[0]?.pan, rows[0]?.eq.mid], [0, 0]);
  assert.match(stripRefusal, /https/);
});

test('counts in whole bars and plays from the beginning of the bar', (t) => {
  const { element, player, clicks } = openPlayer(t);
  player.setBeats({ beats, downbeats });
  player.setCountIn(1);
  player.seek(5.3);
  element.currentTime = 5.3;
  player.play();
  assert.equal(player.state.getState().transport, 'counting-in');
  assert.equal(element.currentTime, 4);
  assert.deepEqual(
    clicks.map(({ at, isDownbeat }) => [Math.round(100 * (at - 5.06)) / 100, isDownbeat]),
    [
      [0, true],
      [0.5, false],
      [1, false],
      [1.5, false],
    ],
  );
  t.mock.timers.tick(2_000);
  assert.equal(element.paused, true);
  t.mock.timers.tick(100);
  assert.equal(player.state.getState().transport, 'playing');
});

test('a pause ends the count-in and its clicks', (t) => {
  const { element, player, clicks } = openPlayer(t);
  player.setBeats({ beats, downbeats });
  player.setCountIn(2);
  player.toggle();
  assert.equal(clicks.length, 8);
  player.toggle();
  assert.deepEqual([player.state.getState().transport, clicks.length], ['paused', 0]);
  t.mock.timers.tick(10_000);
  assert.equal(element.paused, true);
});

test('clicks of the metronome follow the song while it is on', (t) => {
  const { element, player, clicks } = openPlayer(t);
  player.setBeats({ beats, downbeats });
  player.setMetronome({ isOn: true, gain: 2 });
  assert.deepEqual(player.state.getState().metronome, { isOn: true, gain: 1 });
  element.currentTime = 0.9;
  player.play();
  t.mock.timers.tick(25);
  assert.deepEqual(
    clicks.map(({ at, isDownbeat }) => [Math.round(100 * (at - 5)) / 100, isDownbeat]),
    [[0.1, false]],
  );
  player.setMetronome({ isOn: false, gain: 1 });
  assert.equal(clicks.length, 0);
});
