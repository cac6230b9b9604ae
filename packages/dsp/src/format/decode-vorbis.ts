import { createNativePool, type NativeBuffers, type NativeDecoder } from '../native/native-decoder.ts';
import { vorbisWasm } from '../native/vorbis-wasm.ts';
import { AudioFormatError } from './audio-format-error.ts';
import type { DecoderOptions, DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { type OggDecoder, type OggFormat, openOgg } from './ogg-audio.ts';
import { MAX_CHANNELS } from './sound-shape.ts';
import { toWavOrder } from './surround-order.ts';
import { describeVorbis, isVorbisHead } from './vorbis-head.ts';

/** `packages/dsp/native/vorbis.c` */
interface VorbisCalls {
  begin(headBytes: number, setupBytes: number): number;
  forget(): void;
  decode(count: number): number;
  bad_packet_count(): number;
}

const decoders = createNativePool<VorbisCalls>(vorbisWasm, MAX_CHANNELS);

/** The code of stb_vorbis for a setup that draws its floors by the method of 2000, which no encoder has used since. */
const NOT_SUPPORTED = 4;

/** Decodes Ogg Vorbis without gaps; `reader` stands at byte 0. @see openOgg */
export function openVorbis(reader: ByteReader, { readEnd }: DecoderOptions): Promise<DecoderStream> {
  return openOgg(reader, vorbis, readEnd);
}

const vorbis: OggFormat = {
  name: 'Vorbis',
  headerPackets: 3,
  maySkipByPosition: true,
  isSound: isVorbisHead,
  describe: describeVorbis,
  createDecoder,
};

async function createDecoder(headers: readonly Uint8Array[]): Promise<OggDecoder> {
  const [head = new Uint8Array(0), , setup = new Uint8Array(0)] = headers;
  const decoder = await decoders.borrow();
  decoder.input.set(head);
  decoder.input.set(setup, head.length);
  const code = decoder.calls.begin(head.length, setup.length);
  if (code !== 0) {
    decoders.giveBack(decoder);
    throw refusal(code);
  }
  const channels = head[11] ?? 0;
  const longestBlock = 2 ** ((head[28] ?? 0) >> 4);
  return {
    preSkip: 0,
    decode(packets, isAfterLoss) {
      // Without what was lost, the first packet has nothing to overlap with; its samples are missing like the lost ones.
      if (isAfterLoss) decoder.calls.forget();
      return Promise.resolve(decodePackets(decoder, channels, longestBlock, packets));
    },
    free: () => decoders.giveBack(decoder),
  };
}

function refusal(code: number): AudioFormatError {
  return code === NOT_SUPPORTED
    ? new AudioFormatError(
        'unsupported_format',
        'Vorbis must have floors of type 1 (this file has type 0, of before 2001: encode it anew)',
      )
    : new AudioFormatError(
        'malformed',
        `the Vorbis setup must be whole (it is not: stb_vorbis says ${code})`,
      );
}

/** Decodes packets, as many at a time as there is room for what they give: each half of a long block at most. */
function decodePackets(
  { calls, input, lengths, outputs }: NativeDecoder<VorbisCalls & NativeBuffers>,
  channels: number,
  longestBlock: number,
  packets: readonly Uint8Array[],
): { block: Float32Array[]; badPackets: number } {
  const maxCount = Math.min(lengths.length, Math.floor((outputs[0]?.length ?? 0) / (longestBlock / 2)));
  const parts: Float32Array[][] = [];
  let badPackets = 0;
  let next = 0;
  while (next < packets.length) {
    let count = 0;
    let bytes = 0;
    for (; count < maxCount; count++) {
      const packet = packets[next];
      if (packet === undefined || bytes + packet.length > input.length) break;
      input.set(packet, bytes);
      bytes += packet.length;
      lengths[count] = packet.length;
      next++;
    }
    const samples = calls.decode(count);
    badPackets += calls.bad_packet_count();
    parts.push(outputs.slice(0, channels).map((output) => output.slice(0, samples)));
  }
  return { block: toWavOrder(join(parts)), badPackets };
}

function join(parts: readonly Float32Array[][]): Float32Array[] {
  const [first = [], ...others] = parts;
  if (others.length === 0) return first;
  const length = parts.reduce((sum, part) => sum + (part[0]?.length ?? 0), 0);
  return first.map((_, channel) => {
    const joined = new Float32Array(length);
    let at = 0;
    for (const part of parts) {
      const samples = part[channel] as Float32Array;
      joined.set(samples, at);
      at += samples.length;
    }
    return joined;
  });
}
