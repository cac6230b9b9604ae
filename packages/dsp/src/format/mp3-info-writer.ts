import { crc16Reflected } from './checksum.ts';
import { parseMp3FrameHeader } from './mp3-frame-header.ts';

/** Delay of the LAME encoder, in samples. */
export const MP3_ENCODER_DELAY = 576;

/** Totals of an MP3: `frames` and `bytes` of audio, `padding` in samples at its end, CRC-16 of its bytes. */
export interface Mp3Totals {
  frames: number;
  bytes: number;
  padding: number;
  crc: number;
}

/**
 * Returns the Info frame, which precedes the first audio frame and states the samples that players remove.
 *
 * @param firstHeader the four header bytes of the first audio frame, whose format is used
 * @see Gabriel Bouvigne, "MP3 Info Tag revision 1"
 */
export function createMp3InfoFrame(firstHeader: Uint8Array, totals: Mp3Totals): Uint8Array {
  // Without checksum and padding byte, so that the layout does not depend on that frame.
  const head = Uint8Array.of(
    firstHeader[0] ?? 0,
    (firstHeader[1] ?? 0) | 1,
    (firstHeader[2] ?? 0) & ~2,
    firstHeader[3] ?? 0,
  );
  const header = parseMp3FrameHeader(head, 0);
  if (header === null)
    throw new RangeError('an Info frame must follow the shape of an MP3 frame (got other bytes)');
  const frame = new Uint8Array(header.frameBytes);
  frame.set(head);
  const view = new DataView(frame.buffer);
  const fileBytes = totals.bytes + frame.length;
  let at = header.sideInfoEnd;
  const text = (value: string) => {
    for (const letter of value) frame[at++] = letter.charCodeAt(0);
  };
  text('Info');
  view.setUint32(at, 0b1111);
  view.setUint32(at + 4, totals.frames);
  view.setUint32(at + 8, fileBytes);
  at += 12;
  // At a constant bitrate a hundredth of the time is a hundredth of the bytes.
  for (let percent = 0; percent < 100; percent++) frame[at++] = Math.round((percent * 256) / 100);
  view.setUint32(at, 57);
  at += 4;
  text('LAME3.100');
  frame[at] = 1;
  // Lowpass, peak and loudness (10 bytes) and encoder flags stay 0: unknown.
  frame[at + 11] = Math.min(255, header.bitrate / 1000);
  at += 12;
  frame[at] = MP3_ENCODER_DELAY >> 4;
  frame[at + 1] = ((MP3_ENCODER_DELAY & 15) << 4) | (totals.padding >> 8);
  frame[at + 2] = totals.padding & 255;
  view.setUint32(at + 7, fileBytes);
  view.setUint16(at + 11, totals.crc);
  view.setUint16(at + 13, crc16Reflected(frame.subarray(0, at + 13), 0));
  return frame;
}
