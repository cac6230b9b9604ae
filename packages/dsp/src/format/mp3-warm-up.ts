import type { Mp3FrameCursor } from './mp3-frame-cursor.ts';
import { ROTATION_FRAMES } from './mp3-frame-decoder.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';

/**
 * Frames that are read before the requested one.
 *
 * They fill the bit reservoir, 511 bytes in MPEG-1 and 255 in MPEG-2, even if every frame has the minimum length; two
 * more are added.
 */
const READ_FRAMES = 264;
/**
 * Least number of these frames that are decoded: the overlap of the transform and the filters reach back two frames.
 */
const MIN_FRAMES = 16;
/** Least number of bytes of audio data in the decoded frames: four times the bit reservoir. */
const MIN_BYTES = 4 * 511;

/**
 * Moves `cursor` to `frame` and returns the frames before it that must be decoded first.
 *
 * Its samples are then those of a decode from the start. The frames are copies; the first of them is frame
 * `cursor.number - frames.length`.
 */
export async function readWarmUp(
  cursor: Mp3FrameCursor,
  frame: number,
  header: Mp3FrameHeader,
): Promise<Uint8Array[]> {
  const first = Math.max(0, frame - READ_FRAMES);
  await cursor.seekTo(first - (first % ROTATION_FRAMES));
  const frames: Uint8Array[] = [];
  while (cursor.number < frame) {
    const next = await cursor.next();
    if (next === null) break;
    frames.push(next.slice());
  }
  let bytes = 0;
  let needed = 0;
  while (needed < frames.length && (needed < MIN_FRAMES || bytes < MIN_BYTES)) {
    bytes += (frames.at(-1 - needed)?.length ?? 0) - header.sideInfoEnd;
    needed++;
  }
  const spare = frames.length - needed;
  return frames.slice(spare - (spare % ROTATION_FRAMES));
}
