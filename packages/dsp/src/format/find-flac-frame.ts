import type { ByteReader } from './byte-reader.ts';
import type { FlacStreamInfo } from './flac-frame-header.ts';
import { FlacFrameReader } from './flac-frames.ts';

/** Where a frame of a FLAC begins: its first byte in the file, its first sample in the stream. */
export interface FlacPlace {
  byte: number;
  sample: number;
}

/** Nearer frames are read one by one. */
const NEAR_SECONDS = 4;
const MAX_PROBES = 24;
/** Probes that follow the mean bitrate; where these do not arrive, the rest halve what is left. */
const GUESSES = 10;

/**
 * The place of a frame that begins at most seconds before sample `wanted` of the stream: found by the numbers that
 * frames bear, looking at a few places of a seekable file. Where the numbers lead nowhere, the last
 * place that was sure. Leaves `reader` anywhere.
 * @param from a place before `wanted`, the first that is sure
 * @param end how long the file is in bytes, and the stream in samples
 */
export async function findFlacFrame(
  reader: ByteReader,
  stream: FlacStreamInfo,
  from: FlacPlace,
  wanted: number,
  end: FlacPlace,
): Promise<FlacPlace> {
  let low = from;
  let high = end;
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const ahead = wanted - low.sample;
    if (ahead <= NEAR_SECONDS * stream.sampleRate || high.sample <= low.sample) break;
    // A second early: what lies a little behind is an answer, what lies a little ahead is none.
    const part =
      probe < GUESSES ? Math.min(1, (ahead - stream.sampleRate) / (high.sample - low.sample)) : 0.5;
    const byte = Math.floor(low.byte + part * (high.byte - low.byte));
    if (byte <= low.byte || byte >= high.byte) break;
    await reader.seek(byte);
    const frame = await new FlacFrameReader(reader, stream).next();
    if (frame === null) high = { byte, sample: high.sample };
    else if (frame.firstSample > wanted) high = { byte, sample: frame.firstSample };
    else if (frame.firstSample > low.sample) {
      low = { byte: reader.position - frame.bytes.length, sample: frame.firstSample };
    } else break;
  }
  return low;
}
