import type { WasmMediaEncoder } from 'wasm-media-encoders';
import { type AudioEncoder, blockLength, joinBytes } from './audio-encoder.ts';
import { crc16Reflected } from './checksum.ts';
import { parseMp3FrameHeader } from './mp3-frame-header.ts';
import { createMp3InfoFrame, MP3_ENCODER_DELAY } from './mp3-info-writer.ts';

/** Parameters of the MP3 to be written. Below 32 kHz the format limits the bitrate to 160 kbit/s. */
export interface Mp3EncoderOptions {
  sampleRate: number;
  channels: 1 | 2;
  bitrateKbps: 128 | 192 | 320;
}

/** Sample rates of MP3, in Hz. */
export const MP3_SAMPLE_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;

type LameOptions = Parameters<WasmMediaEncoder<'audio/mpeg'>['configure']>[0];

/** Samples passed to the encoder at a time, so that its memory does not grow with the block. */
const STEP_SAMPLES = 1152 * 32;

/**
 * Writes gapless MP3 of constant bitrate with LAME.
 *
 * `blocks → LAME → frames`, after an Info frame with the number of frames, delay and padding. The library does not
 * write that frame: it is reserved at the start and patched at the end.
 * @throws RangeError if MP3 does not support the sample rate or number of audio channels
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
  // Loaded only now: programs that write other formats do without it.
  const { createMp3Encoder: createLame } = await import('wasm-media-encoders');
  const lame = await createLame();
  lame.configure({ sampleRate, channels, bitrate, outputSampleRate: sampleRate } as LameOptions);

  let samples = 0;
  let frames = 0;
  let bytes = 0;
  let crc = 0;
  let carry: Uint8Array = new Uint8Array(0);
  let firstHeader: Uint8Array | null = null;

  /** Returns the whole frames in the output of LAME and counts them; the rest is kept for the next call. */
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
        // The library returns a view of its own memory: takeFrames copies it.
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
      // The library's memory is collected with the object.
    },
  };
}
