import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '@stem-studio/server/platform/clock';
import { flacWithComments, mp3WithCover } from '@stem-studio/server/testing/hostile-files';
import type { StudioPerson } from '@stem-studio/server/testing/kill-rounds/studio-person';
import { testMp3 } from '@stem-studio/server/testing/test-audio';
import type { Arena } from './arena.ts';

const commentCount = 2_097_152;
const coverBytes = 200_000_000;

/** Returns the result of an accepted upload's download job. */
async function endOfJob(arena: Arena, person: StudioPerson, id: string): Promise<string> {
  const deadline = performance.now() + arena.limitMs;
  while (performance.now() < deadline) {
    const download = (await person.call(getTrack, { params: { id } })).body?.data.download;
    if (download?.status === 'completed') return 'its job completed';
    if (download?.status === 'failed') return `its job failed: ${download.error}`;
    await pause(250);
  }
  return 'its job did not end';
}

async function upload(arena: Arena, name: string, bytes: Uint8Array): Promise<string> {
  const target = await arena.start(await arena.open());
  const attacker = await target.register();
  const startedMs = performance.now();
  const { status, body } = await attacker.upload(name, bytes);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const size = (bytes.length / 1e6).toFixed(1);
  if (body)
    return `${size} MB sent, taken after ${seconds} s, ${await endOfJob(arena, attacker, body.data.track_id)}`;
  return status === 0
    ? `${size} MB sent, no reply within ${seconds} s`
    : `${size} MB sent, answered with ${status} after ${seconds} s`;
}

/** Uploads a FLAC file of 14.7 MB with 2,097,152 Vorbis comments. */
export async function uploadFlacComments(arena: Arena): Promise<string> {
  return upload(arena, 'song.flac', flacWithComments(commentCount));
}

/** Uploads an MP3 file with a cover image of 200 MB in its ID3 tag. */
export async function uploadLargeCover(arena: Arena): Promise<string> {
  return upload(arena, 'song.mp3', mp3WithCover(await testMp3(), coverBytes));
}
