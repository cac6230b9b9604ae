import { separate } from '@stem-studio/contract/endpoints/processing';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '@stem-studio/server/platform/clock';
import { silentFlac } from '@stem-studio/server/testing/hostile-files';
import type { Arena } from './arena.ts';

const songs = 5;
/** Four stems of 16-bit stereo. */
const stemBytesPerSecond = 4 * 44_100 * 4;

/** Uploads silent songs of an hour, 40 kB each, and asks for their stems. */
export async function silentSongs(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open());
  const attacker = await target.register();
  const ids: string[] = [];
  const refusals = new Set<string>();
  let sent = 0;
  for (let number = 1; number <= songs; number++) {
    const bytes = silentFlac(3590 + number);
    sent += bytes.length;
    const { body, status } = await attacker.upload(`silence ${number}.flac`, bytes);
    if (body) ids.push(body.data.track_id);
    else refusals.add(`upload ${status}`);
  }
  let accepted = 0;
  const deadline = performance.now() + arena.limitMs;
  for (const id of ids) {
    let track = (await attacker.call(getTrack, { params: { id } })).body?.data;
    while (track && !track.audio && track.download?.status !== 'failed' && performance.now() < deadline) {
      await pause(250);
      track = (await attacker.call(getTrack, { params: { id } })).body?.data;
    }
    const reply = await attacker.call(separate, { body: { track_id: id } });
    if (reply.outcome === 'acknowledged') accepted += 1;
    else refusals.add(`separation ${reply.status} (${track?.download?.error ?? track?.download?.status})`);
  }
  const gigabytes = (accepted * 3600 * stemBytesPerSecond) / 1e9;
  const told = refusals.size === 0 ? '' : `; refused: ${[...refusals].join(', ')}`;
  return `${(sent / 1e3).toFixed(0)} kB sent, ${accepted} of ${songs} separations accepted: ${gigabytes.toFixed(1)} GB of stems${told}`;
}
