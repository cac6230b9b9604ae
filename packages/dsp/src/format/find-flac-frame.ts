import type { ByteReader } from './byte-reader.ts';
import type { FlacStreamInfo } from './flac-frame-header.ts';
import { FlacFrameReader } from './flac-frames.ts';

/** Start of a FLAC frame: offset of its first byte in the file, index of its first sample in the stream. */
export interface FlacFrameStart {
  byte: number;
  sample: number;
}

/** Distance in seconds within which frames are read one by one. */
const NEAR_SECONDS = 4;
const MAX_PROBES = 24;
/** Number of probes at the offset predicted by the mean bitrate; the following ones bisect. */
const GUESSES = 10;

/**
 * Finds a frame that begins a few seconds or less before sample `target` in a seekable file.
 *
 * It is an interpolation search over the sample numbers of frames. In a damaged file it returns the last confirmed
 * frame. The position of `reader` is undefined afterwards.
 * @param from a confirmed frame before `target`
 * @param end length of the file in bytes, and of the stream in samples
 */
export async function findFlacFrame(
  reader: ByteReader,
  stream: FlacStreamInfo,
  from: FlacFrameStart,
  target: number,
  end: FlacFrameStart,
): Promise<FlacFrameStart> {
  let low = from;
  let high = end;
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const ahead = target - low.sample;
    if (ahead <= NEAR_SECONDS * stream.sampleRate || high.sample <= low.sample) break;
    // One second early: a frame shortly before the target is a result, one shortly after it is not.
    const part =
      probe < GUESSES ? Math.min(1, (ahead - stream.sampleRate) / (high.sample - low.sample)) : 0.5;
    const byte = Math.floor(low.byte + part * (high.byte - low.byte));
    if (byte <= low.byte || byte >= high.byte) break;
    await reader.seek(byte);
    const frame = await new FlacFrameReader(reader, stream).next();
    if (frame === null) high = { byte, sample: high.sample };
    else if (frame.firstSample > target) high = { byte, sample: frame.firstSample };
    else if (frame.firstSample > low.sample) {
      low = { byte: reader.position - frame.bytes.length, sample: frame.firstSample };
    } else break;
  }
  return low;
}
