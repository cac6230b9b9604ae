import { OpusDecoder } from 'opus-decoder';
import type { AudioInfo, DecoderOptions, DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { withoutConsoleErrors } from './console-errors.ts';
import { type OggDecoder, type OggFormat, openOgg } from './ogg-audio.ts';
import { isOpusHead, opusPacketSamples, parseOpusHead } from './opus-head.ts';
import { toWavOrder } from './surround-order.ts';

/** Sample rate at which Opus is decoded regardless of the original, in Hz. */
const OPUS_RATE = 48_000;
/** Largest packet that the library accepts, in bytes per audio channel: 120 ms at 256 kbit/s. */
const MAX_PACKET_BYTES = 3840;

/**
 * Decodes Ogg Opus without gaps, at 48 kHz; `reader` is at byte 0.
 *
 * @see openOgg
 */
export function openOpus(reader: ByteReader, { readEnd }: DecoderOptions): Promise<DecoderStream> {
  return openOgg(reader, opus, readEnd);
}

const opus: OggFormat = {
  name: 'Opus',
  headerPackets: 2,
  maySkipByPosition: false,
  isStreamHead: isOpusHead,
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
  // The library would remove the pre-skip itself, but without counting the part that was lost.
  const decoder = new OpusDecoder({
    channels: head.channels,
    streamCount: head.streamCount,
    coupledStreamCount: head.coupledStreamCount,
    channelMappingTable: head.mapping,
    preSkip: 0,
  });
  await decoder.ready;
  // Several streams in one packet are delimited differently: such a packet is passed on unchecked.
  const isValid = (packet: Uint8Array) =>
    packet.length <= MAX_PACKET_BYTES * head.channels &&
    (head.streamCount > 1 || opusPacketSamples(packet) > 0);
  return {
    preSkip: head.preSkip,
    decode(packets) {
      const good = packets.filter(isValid);
      // The library also prints each of its errors: a damaged file would fill the service's log.
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
        // Damaged packets can corrupt the heap of libopus, which shows only here; the instance is dropped whole.
      }
    },
  };
}

function amplify(samples: Float32Array, gain: number): void {
  for (let index = 0; index < samples.length; index++) samples[index] = (samples[index] as number) * gain;
}
