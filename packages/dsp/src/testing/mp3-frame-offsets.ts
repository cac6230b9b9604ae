import { parseMp3FrameHeader } from '../format/mp3-frame-header.ts';

/** Returns the offsets in bytes of all frames in an MP3 without other data, ascending. */
export function mp3FrameOffsets(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    offsets.push(at);
    at += parseMp3FrameHeader(bytes, at)?.frameBytes ?? bytes.length;
  }
  return offsets;
}
