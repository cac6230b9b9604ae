import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '@stem-studio/server/platform/clock';
import { silentFlac } from '@stem-studio/server/testing/hostile-files';
import type { Arena } from './arena.ts';

const songs = 3;
/** Time limit in ms; preparing an hour of audio takes a minute. */
const limitMs = 240_000;
/** Storage quota of the attacker in GB: enough for the stems of one song. */
const quotaGb = 4;
/** Bytes per second of four stems of 16-bit stereo. */
const stemBytesPerSecond = 4 * 44_100 * 4;

/**
 * Uploads silent songs of one hour, 40 kB each. The studio separates uploads automatically and limits storage to 4 GB.
 */
export async function silentSongs(arena: Arena): Promise<string> {
  const context = await arena.open();
  const target = await arena.start(context, { AUTO_SEPARATE: 'on', QUOTA_STORAGE_GB: String(quotaGb) });
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
  const deadline = performance.now() + limitMs;
  const states = new Map<string, string>();
  while (performance.now() < deadline && [...states.values()].filter(isOver).length < ids.length) {
    for (const id of ids) {
      const track = (await attacker.call(getTrack, { params: { id } })).body?.data;
      const job = track?.separation ?? track?.download;
      if (job?.error) refusals.add(job.error);
      states.set(id, `${track?.separation ? 'separation' : 'download'} ${job?.status}`);
    }
    await pause(500);
  }
  const taken = ids.length - [...states.values()].filter((state) => state.endsWith('failed')).length;
  const gigabytes = (taken * 3600 * stemBytesPerSecond) / 1e9;
  const outcome = refusals.size === 0 ? 'none refused' : `refused: ${[...refusals].join(', ')}`;
  return `${(sent / 1e3).toFixed(0)} kB sent, ${taken} of ${songs} songs taken, which are ${gigabytes.toFixed(1)} GB of stems; ${outcome}; after ${limitMs / 1000} s: ${[...states.values()].join(', ')}`;
}

const isOver = (state: string) => /^separation (completed|failed)|failed$/.test(state);
