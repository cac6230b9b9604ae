import { type AudioEncoder, blockLength, joinBytes } from './audio-encoder.ts';
import { createQuantizer } from './quantizer.ts';

/** Parameters of the FLAC to be written. */
export interface FlacEncoderOptions {
  sampleRate: number;
  channels: number;
  bitDepth: 16 | 24;
  /** Triangular dither before rounding; off by default. */
  dither?: boolean;
}

/** Sample rates that the encoder accepts, in Hz. */
export const FLAC_SAMPLE_RATES = [
  8000, 16000, 22050, 24000, 32000, 44100, 48000, 88200, 96000, 176400, 192000,
] as const;

const HEADER_BYTES = 42;
/** Samples passed to the encoder at a time, so that its memory does not grow with the block. */
const STEP_SAMPLES = 1 << 15;
/** Samples per audio channel in every frame but the last, at the library's compression level 5. */
const BLOCK_SIZE = 4096;

/**
 * Writes FLAC with libFLAC, in a worker of its own that ends with `finish` or `close`.
 *
 * `blocks → integers → libFLAC → frames`, after a STREAMINFO that is patched at the end with the exact number of
 * samples and the smallest and largest frame. Its MD5 is left 0, which means unknown.
 * @throws RangeError if the encoder does not accept the sample rate or number of audio channels
 * @see RFC 9639
 */
export async function createFlacEncoder(options: FlacEncoderOptions): Promise<AudioEncoder> {
  const { sampleRate, channels, bitDepth } = options;
  if (!FLAC_SAMPLE_RATES.some((rate) => rate === sampleRate)) {
    throw new RangeError(
      `a FLAC must have a sample rate of ${FLAC_SAMPLE_RATES.join(', ')} Hz (got ${sampleRate})`,
    );
  }
  if (!(Number.isInteger(channels) && channels >= 1 && channels <= 8)) {
    throw new RangeError(`a FLAC must have 1 to 8 audio channels (got ${channels})`);
  }
  // Loaded only now: programs that write other formats do without its two megabytes of code.
  const { registerFlacEncoder } = await import('@mediabunny/flac-encoder');
  const { AudioSample, AudioSampleSource, FlacOutputFormat, NullTarget, Output } = await import('mediabunny');
  registerFlacEncoder();
  const quantize = createQuantizer(bitDepth, options.dither);
  let packets: Uint8Array[] = [new Uint8Array(HEADER_BYTES)];
  let samples = 0;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = 0;
  const source = new AudioSampleSource({
    codec: 'flac',
    onEncodedPacket({ data }) {
      packets.push(data);
      smallest = Math.min(smallest, data.length);
      largest = Math.max(largest, data.length);
    },
  });
  const output = new Output({ format: new FlacOutputFormat(), target: new NullTarget() });
  output.addAudioTrack(source);
  await output.start();

  const takePackets = (): Uint8Array => {
    const joined = joinBytes(packets);
    packets = [];
    return joined;
  };

  return {
    async encode(block) {
      const length = blockLength(block, channels);
      for (let from = 0; from < length; from += STEP_SAMPLES) {
        const part = block.map((all) => all.subarray(from, from + STEP_SAMPLES));
        const data = interleave(part, quantize, bitDepth);
        const sample = new AudioSample({
          // 24-bit samples occupy the upper part of 32 bits.
          format: bitDepth === 16 ? 's16' : 's32',
          sampleRate,
          numberOfChannels: channels,
          timestamp: samples / sampleRate,
          data,
        });
        samples += data.length / channels;
        await source.add(sample);
        sample.close();
      }
      return takePackets();
    },
    async finish() {
      if (samples === 0) await output.cancel();
      else await output.finalize();
      const frameSizes = samples === 0 ? ([0, 0] as const) : ([smallest, largest] as const);
      const header = createFlacHeader(options, samples, frameSizes);
      return { tail: takePackets(), patches: [{ offset: 0, bytes: header }] };
    },
    async close() {
      if (output.state === 'started') await output.cancel();
    },
  };
}

function interleave(block: Float32Array[], quantize: (sample: number) => number, bitDepth: 16 | 24) {
  const channels = block.length;
  const total = channels * (block[0]?.length ?? 0);
  const data = bitDepth === 16 ? new Int16Array(total) : new Int32Array(total);
  const shift = bitDepth === 16 ? 0 : 8;
  for (const [index, samples] of block.entries()) {
    let at = index;
    for (const sample of samples) {
      data[at] = quantize(sample) << shift;
      at += channels;
    }
  }
  return data;
}

/**
 * Returns `fLaC` and STREAMINFO.
 *
 * @see RFC 9639, 8.2
 */
function createFlacHeader(
  options: FlacEncoderOptions,
  samples: number,
  frameSizes: readonly [number, number],
): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  header.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34]);
  view.setUint16(8, BLOCK_SIZE);
  view.setUint16(10, BLOCK_SIZE);
  for (const [index, size] of frameSizes.entries()) {
    header[12 + index * 3] = size >> 16;
    view.setUint16(13 + index * 3, size & 0xffff);
  }
  const { sampleRate, channels, bitDepth } = options;
  const high = Math.floor(samples / 2 ** 32) & 15;
  view.setUint32(18, ((sampleRate << 12) | ((channels - 1) << 9) | ((bitDepth - 1) << 4) | high) >>> 0);
  view.setUint32(22, samples % 2 ** 32);
  return header;
}
