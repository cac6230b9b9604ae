import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDeckStudio, sessionNow } from '../../testing/deck-studio.ts';
import { liveSocket } from '../../testing/deck-windows.ts';
import { joined, until } from '../../testing/socket-client.ts';
import { createStillClock } from '../../testing/test-clock.ts';

const client = 'window-one-of-two';

/** Opens two windows; the first one names itself when it joins, and plays the audio. */
async function openPlaying(t: Parameters<typeof openDeckStudio>[0]) {
  const studio = await openDeckStudio(t, createStillClock());
  const other = await studio.open();
  const socket = liveSocket(t, studio.address, studio.login);
  socket.connect();
  const channel = socket.channel('decks:current', { client });
  await joined(channel);
  await new Promise((resolve) =>
    channel.push('set_mixer', { client, seq: 1, changes: { sound_client: client } }).receive('ok', resolve),
  );
  await until(() => other.pushes.length === 1);
  return { studio, other, socket, channel };
}

test('a closed connection of the window that plays the audio is reported to the others at once', async (t) => {
  const { studio, other, socket } = await openPlaying(t);
  socket.disconnect();
  await until(() => other.pushes.length === 2);
  const [, push] = other.pushes;
  assert.ok(push?.event === 'mixer_update');
  assert.deepEqual(
    [push.mixer.sound_client, push.mixer.audio_left_at],
    [client, studio.clock.now().getTime()],
  );
  assert.equal((await sessionNow(studio)).mixer.audio_left_at, studio.clock.now().getTime());
  await other.act('set_mixer', { changes: { sound_client: 'another-window' } });
  assert.equal((await sessionNow(studio)).mixer.audio_left_at, null);
});

test('a window that has released the audio, or never had it, leaves no mark', async (t) => {
  const { studio, other, socket, channel } = await openPlaying(t);
  const second = liveSocket(t, studio.address, studio.login);
  second.connect();
  await joined(second.channel('decks:current', { client: 'window-two-of-two' }));
  second.disconnect();
  channel.push('set_mixer', { client, seq: 2, changes: { sound_client: null } });
  socket.disconnect();
  await until(() => other.pushes.length === 2);
  await other.act('set_mixer', { changes: { crossfader: 0.5 } });
  assert.equal((await sessionNow(studio)).mixer.audio_left_at, null);
});
