import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '@stem-studio/server/platform/clock';
import type { StudioPerson } from '@stem-studio/server/testing/kill-rounds/studio-person';
import { testWav } from '@stem-studio/server/testing/test-audio';
import type { Arena } from './arena.ts';

const songsBefore = 40;
/** Longest wait in ms: a queue without fairness delays a user by several minutes. */
const longestMs = 240_000;

function numbered(file: Uint8Array, number: number): Uint8Array {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(number, 44);
  return copy;
}

async function secondsToStems(
  person: StudioPerson,
  file: Uint8Array,
  limitMs: number,
): Promise<number | null> {
  const startedMs = performance.now();
  const { body } = await person.upload('song.wav', file);
  const id = body?.data.track_id ?? '';
  while (performance.now() - startedMs < limitMs) {
    const track = (await person.call(getTrack, { params: { id } })).body?.data;
    if (track?.separation?.status === 'completed') return (performance.now() - startedMs) / 1000;
    await pause(100);
  }
  return null;
}

/** Queues 40 songs of one user before the 10-second song of another. */
export async function songsBeforeAnother(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open(), { AUTO_SEPARATE: 'on' });
  const [attacker, honest] = [await target.register(), await target.register()];
  const song = await testWav({ seconds: 10 });
  const idle = await secondsToStems(honest, numbered(song, 1), arena.limitMs);
  for (let number = 1; number <= songsBefore; number++)
    await attacker.upload(`song ${number}.wav`, numbered(song, number + 1));
  const waited = await secondsToStems(honest, numbered(song, 1000), longestMs);
  const waitText = waited === null ? `more than ${longestMs / 1000} s` : `${waited.toFixed(1)} s`;
  return `stems of a 10-second song: ${idle?.toFixed(1)} s on an idle queue, ${waitText} behind ${songsBefore} songs of another user`;
}
