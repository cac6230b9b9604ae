import { createMp3Encoder as createLame } from 'wasm-media-encoders';
import { type AudioEncoder, blockLength, joinBytes } from './audio-encoder.ts';
import { crc16Reflected } from './checksum.ts';
import { parseMp3FrameHeader } from './mp3-frame-header.ts';
import { createMp3InfoFrame, MP3_ENCODER_DELAY } from './mp3-info-writer.ts';

/** What an MP3 is to be; below 32 kHz, where the format ends at 160 kbit/s, a higher bitrate means 160. */
export interface Mp3EncoderOptions {
  sampleRate: number;
  channels: 1 | 2;
  bitrateKbps: 128 | 192 | 320;
}

/** The sample rates that MP3 knows, in Hz. */
export const MP3_SAMPLE_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;

type LameOptions = Parameters<Awaited<ReturnType<typeof createLame>>['configure']>[0];

/** Samples handed to the encoder at a time, so that its memory does not grow with the block. */
const STEP_SAMPLES = 1152 * 32;

/**
 * Writes MP3 of constant bitrate with LAME, so that it decodes without gaps.
 *
 * `blocks → LAME → frames`, behind an Info frame with the number of frames, delay and padding, which the library
 * does not write: it is written as a blank and patched at the end.
 * @throws RangeError where MP3 does not know the sample rate or number of audio channels
 */
export async function createMp3Encoder(options: Mp3EncoderOptions): Promise<AudioEncoder> {
  const { sampleRate, channels } = options;
  if (!MP3_SAMPLE_RATES.some((rate) => rate === sampleRate)) {
    throw new RangeError(
      `an MP3 must have a sample rate of ${MP3_SAMPLE_RATES.join(', ')} Hz (got ${sampleRate})`,
    );
  }
  if (channels !== 1 && channels !== 2) {
    throw new RangeError(`an MP3 must have 1 or 2 audio channels (got ${String(channels)})`);
  }
  const bitrate = sampleRate < 32000 ? Math.min(options.bitrateKbps, 160) : options.bitrateKbps;
  const lame = await createLame();
  lame.configure({ sampleRate, channels, bitrate, outputSampleRate: sampleRate } as LameOptions);

  let samples = 0;
  let frames = 0;
  let bytes = 0;
  let crc = 0;
  let carry: Uint8Array = new Uint8Array(0);
  let firstHeader: Uint8Array | null = null;

  /** Takes what LAME gave, counts the whole frames in it and gives them back; the rest waits. */
  const takeFrames = (given: Uint8Array): Uint8Array => {
    const all = joinBytes([carry, given]);
    let at = 0;
    for (let header = parseMp3FrameHeader(all, at); header !== null; header = parseMp3FrameHeader(all, at)) {
      if (at + header.frameBytes > all.length) break;
      at += header.frameBytes;
      frames++;
    }
    carry = all.slice(at);
    const whole = all.subarray(0, at);
    bytes += at;
    crc = crc16Reflected(whole, crc);
    if (firstHeader !== null || at === 0) return whole;
    firstHeader = whole.slice(0, 4);
    return joinBytes([createMp3InfoFrame(firstHeader, { frames: 0, bytes: 0, padding: 0, crc: 0 }), whole]);
  };

  return {
    encode(block) {
      const length = blockLength(block, channels);
      const parts: Uint8Array[] = [];
      for (let from = 0; from < length; from += STEP_SAMPLES) {
        // What the library returns lies in its own memory: takeFrames copies it.
        parts.push(takeFrames(lame.encode(block.map((part) => part.subarray(from, from + STEP_SAMPLES)))));
      }
      samples += length;
      return joinBytes(parts);
    },
    async finish() {
      const tail = takeFrames(lame.finalize());
      if (firstHeader === null) return { tail, patches: [] };
      const header = parseMp3FrameHeader(firstHeader, 0);
      const padding = frames * (header?.frameSamples ?? 1152) - MP3_ENCODER_DELAY - samples;
      const info = createMp3InfoFrame(firstHeader, { frames, bytes, padding, crc });
      return { tail, patches: [{ offset: 0, bytes: info }] };
    },
    async close() {
      // The library's memory goes with the object.
    },
  };
}
