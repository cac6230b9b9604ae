import { parseMp3FrameHeader } from '../format/mp3-frame-header.ts';

/** Offsets of all frames in an MP3 that holds nothing else, in bytes, ascending. */
export function mp3FrameOffsets(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    offsets.push(at);
    at += parseMp3FrameHeader(bytes, at)?.frameBytes ?? bytes.length;
  }
  return offsets;
}
