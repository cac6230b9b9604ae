import { flacWithComments, mp3WithPicture } from '@stem-studio/server/testing/hostile-files';
import { testMp3 } from '@stem-studio/server/testing/test-sound';
import type { Arena } from './arena.ts';

const commentCount = 2_097_152;
const pictureBytes = 200_000_000;

async function upload(arena: Arena, name: string, bytes: Uint8Array): Promise<string> {
  const target = await arena.start(await arena.open());
  const attacker = await target.register();
  const startedMs = performance.now();
  const { status } = await attacker.upload(name, bytes);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const size = (bytes.length / 1e6).toFixed(1);
  return status === 0
    ? `${size} MB sent, no reply within ${seconds} s`
    : `${size} MB sent, answered with ${status} after ${seconds} s`;
}

/** Uploads a FLAC file of 14.7 MB with 2,097,152 Vorbis comments. */
export async function uploadFlacComments(arena: Arena): Promise<string> {
  return upload(arena, 'song.flac', flacWithComments(commentCount));
}

/** Uploads an MP3 file whose ID3 tag holds a picture of 200 MB. */
export async function uploadLargePicture(arena: Arena): Promise<string> {
  return upload(arena, 'song.mp3', mp3WithPicture(await testMp3(), pictureBytes));
}
