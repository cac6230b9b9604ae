import type { Mp3FrameCursor } from './mp3-frame-cursor.ts';
import { ROTATION_FRAMES } from './mp3-frame-decoder.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';

/**
 * Frames that are read before the one that is wanted: as many as fill the bit reservoir, 511 bytes in MPEG-1 and 255 in
 * MPEG-2, where every frame is as short as a frame can be, and two more.
 */
const READ_FRAMES = 264;
/** Of these, frames that are decoded at least: the overlap of the transform and the filters reach back two frames. */
const MIN_FRAMES = 16;
/** Bytes of audio data in the frames that are decoded, at least: four times the bit reservoir. */
const MIN_BYTES = 4 * 511;

/**
 * Moves `cursor` to `frame` and returns the frames before it that must be decoded for its samples to be those of a decode
 * from the start. They are copies; the first of them is frame `cursor.number - frames.length`.
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
