import { ascii } from './byte-reader.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';

/**
 * Contents of the Info frame that an encoder may write before the audio frames.
 *
 * `frames` and `bytes` count the frames after this one (bytes: with it), null where not given. `delay` and
 * `padding` are the samples that the encoder added before and after the audio, null where not given.
 */
export interface Mp3Info {
  frames: number | null;
  bytes: number | null;
  delay: number | null;
  padding: number | null;
}

/** Delay of every Layer III decoder, in samples, in addition to the encoder's. */
export const MP3_DECODER_DELAY = 529;

/**
 * Reads the Xing, Info or VBRI frame; null if `frame` is an ordinary audio frame.
 *
 * @see Gabriel Bouvigne, "MP3 Info Tag revision 1", for the LAME extension with delay and padding
 */
export function parseMp3InfoFrame(frame: Uint8Array, header: Mp3FrameHeader): Mp3Info | null {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  // The tag follows the side information; encoders disagree on whether a checksum is counted.
  for (const at of [header.sideInfoEnd, header.sideInfoEnd - 2, header.sideInfoEnd + 2]) {
    const id = ascii(frame, at, at + 4);
    if (id === 'Xing' || id === 'Info') return parseXing(frame, view, at);
  }
  if (ascii(frame, 36, 40) === 'VBRI' && frame.length >= 54) {
    return { bytes: view.getUint32(46), frames: view.getUint32(50), delay: null, padding: null };
  }
  return null;
}

function parseXing(frame: Uint8Array, view: DataView, start: number): Mp3Info {
  const info: Mp3Info = { frames: null, bytes: null, delay: null, padding: null };
  let at = start + 8;
  if (at > frame.length) return info;
  const flags = view.getUint32(start + 4);
  if ((flags & 1) !== 0 && at + 4 <= frame.length) {
    info.frames = view.getUint32(at);
    at += 4;
  }
  if ((flags & 2) !== 0 && at + 4 <= frame.length) {
    info.bytes = view.getUint32(at);
    at += 4;
  }
  if ((flags & 4) !== 0) at += 100;
  if ((flags & 8) !== 0) at += 4;
  // Nine letters of the encoder name; without them the rest is missing too.
  if (at + 24 <= frame.length && frame[at] !== 0) {
    const [high = 0, middle = 0, low = 0] = frame.subarray(at + 21, at + 24);
    info.delay = (high << 4) | (middle >> 4);
    info.padding = ((middle & 15) << 8) | low;
  }
  return info;
}
