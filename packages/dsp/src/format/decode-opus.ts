import { OpusDecoder } from 'opus-decoder';
import type { AudioInfo, DecoderOptions, DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { withoutConsoleErrors } from './console-errors.ts';
import { type OggDecoder, type OggFormat, openOgg } from './ogg-audio.ts';
import { isOpusHead, opusPacketSamples, parseOpusHead } from './opus-head.ts';
import { toWavOrder } from './surround-order.ts';

/** The rate at which Opus is decoded, whatever the sound before it had. */
const OPUS_RATE = 48_000;
/** Bytes that the library has room for, an audio channel: those of 120 ms at 256 kbit/s. */
const MAX_PACKET_BYTES = 3840;

/** Decodes Ogg Opus without gaps, at 48 kHz; `reader` stands at byte 0. @see openOgg */
export function openOpus(reader: ByteReader, { readEnd }: DecoderOptions): Promise<DecoderStream> {
  return openOgg(reader, opus, readEnd);
}

const opus: OggFormat = {
  name: 'Opus',
  headerPackets: 2,
  maySkipByPosition: false,
  isSound: isOpusHead,
  describe,
  createDecoder,
};

function describe(headers: readonly Uint8Array[]): AudioInfo {
  return {
    codec: 'opus',
    sample_rate: OPUS_RATE,
    channels: parseOpusHead(headers[0] ?? new Uint8Array(0)).channels,
    bits_per_sample: null,
    bitrate: null,
    declared_frames: null,
  };
}

async function createDecoder(headers: readonly Uint8Array[]): Promise<OggDecoder> {
  const head = parseOpusHead(headers[0] ?? new Uint8Array(0));
  // The library would drop the pre-skip itself, but not count what a loss has taken of it.
  const decoder = new OpusDecoder({
    channels: head.channels,
    streamCount: head.streamCount,
    coupledStreamCount: head.coupledStreamCount,
    channelMappingTable: head.mapping,
    preSkip: 0,
  });
  await decoder.ready;
  // Several streams in one packet delimit themselves in another way; then only the whole can be tried.
  const isSound = (packet: Uint8Array) =>
    packet.length <= MAX_PACKET_BYTES * head.channels &&
    (head.streamCount > 1 || opusPacketSamples(packet) > 0);
  return {
    preSkip: head.preSkip,
    decode(packets) {
      const good = packets.filter(isSound);
      // The library prints each of its errors besides: a damaged file would fill the service's log.
      const { channelData, errors } = withoutConsoleErrors({ prefix: 'libopus ' }, () =>
        decoder.decodeFrames(good),
      );
      const block = head.mappingFamily === 1 ? toWavOrder(channelData) : channelData;
      if (head.gain !== 1) for (const samples of block) amplify(samples, head.gain);
      return Promise.resolve({ block, badPackets: packets.length - good.length + errors.length });
    },
    free() {
      try {
        decoder.free();
      } catch {
        // Damaged packets can break the heap of libopus, which shows only here; its memory then goes as a whole.
      }
    },
  };
}

function amplify(samples: Float32Array, gain: number): void {
  for (let index = 0; index < samples.length; index++) samples[index] = (samples[index] as number) * gain;
}
