import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlayerState, type PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { KeyPress } from '../../ui/key-press.ts';
import { actionOfKey, perform } from './player-keys.ts';

const press = (key: string, fields: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...fields,
});

/** A player at `seconds` that records the calls. */
function recorder(seconds: number, fields: Partial<PlayerState> = {}) {
  const asked: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
    };
  const state: PlayerState = { ...createPlayerState(['vocals', 'drums']), durationSeconds: 60, ...fields };
  const player = {
    state: { getState: () => state },
    positionSeconds: () => seconds,
    seek: note('seek'),
    setLoop: note('loop'),
    toggleLooping: note('toggleLooping'),
    toggleSolo: note('solo'),
    toggleMute: note('mute'),
    toggle: note('toggle'),
    setTempo: note('tempo'),
    setKey: note('key'),
  } as unknown as SongPlayer;
  return { player, asked };
}

test('arrows skip five seconds, one with Shift', () => {
  assert.deepEqual(actionOfKey(press('ArrowLeft'), null), { do: 'skip', seconds: -5 });
  assert.deepEqual(actionOfKey(press('ArrowRight', { shiftKey: true }), null), { do: 'skip', seconds: 1 });
});

test('M and S act on the focused row, digits on the stem of that number', () => {
  assert.equal(actionOfKey(press('m'), null), null);
  assert.deepEqual(actionOfKey(press('M'), 2), { do: 'mute', row: 2 });
  assert.deepEqual(actionOfKey(press('3'), null), { do: 'solo', row: 2 });
});

test('ignores keys with Ctrl, Meta or Alt', () => {
  assert.equal(actionOfKey(press('l', { ctrlKey: true }), null), null);
});

test('sets the ends of a loop at the beat nearest to the playhead', () => {
  const beats = [0, 10, 20, 30];
  const { player, asked } = recorder(19);
  perform(player, { do: 'loop-start' }, beats);
  assert.deepEqual(asked.pop(), ['loop', { startSeconds: 20, endSeconds: 60 }]);
  perform(player, { do: 'loop-end' }, []);
  assert.deepEqual(asked.pop(), ['loop', { startSeconds: 0, endSeconds: 19 }]);
});

test('L toggles the loop, and creates one if there is none', () => {
  const without = recorder(10);
  perform(without.player, { do: 'loop' }, []);
  assert.deepEqual(without.asked, [['loop', { startSeconds: 10, endSeconds: 18 }]]);
  const withLoop = recorder(10, { loop: { startSeconds: 1, endSeconds: 2 } });
  perform(withLoop.player, { do: 'loop' }, []);
  assert.deepEqual(withLoop.asked, [['toggleLooping']]);
});

test('a digit beyond the last stem does nothing', () => {
  const { player, asked } = recorder(0);
  perform(player, { do: 'solo', row: 5 }, []);
  assert.deepEqual(asked, []);
});

test('Shift and arrows change the tempo by a percent, J and K the key by a semitone', () => {
  const { player, asked } = recorder(0, { tempoPercent: 80, keySemitones: 2 });
  const pressed = (key: string, fields: Partial<KeyPress> = {}) => {
    const action = actionOfKey(press(key, fields), null);
    if (action) perform(player, action, []);
    return asked.pop();
  };
  assert.deepEqual(pressed('ArrowUp', { shiftKey: true }), ['tempo', 81]);
  assert.deepEqual(pressed('ArrowDown', { shiftKey: true }), ['tempo', 79]);
  assert.deepEqual(pressed('j'), ['key', 1]);
  assert.deepEqual(pressed('k'), ['key', 3]);
  assert.equal(pressed('ArrowUp'), undefined);
});
