import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import type { DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { type OggDecoder, type OggFormat, openOgg } from './ogg-audio.ts';
import { toWavOrder } from './surround-order.ts';
import { describeVorbis, isVorbisHead } from './vorbis-head.ts';

type OggPages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

/** Decodes Ogg Vorbis without gaps; `reader` stands at byte 0. @see openOgg */
export function openVorbis(reader: ByteReader): Promise<DecoderStream> {
  return openOgg(reader, vorbis);
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
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  const [head, , setup] = headers;
  let isSetUp = false;
  const decodePackets = async (packets: Uint8Array[]) => {
    // Pages as the library's own parser would give them, reduced to what its decoder reads.
    const [first, ...others] = packets.map((data) => ({ data, header: { vorbisSetup: setup } }));
    const body = { data: new Uint8Array(0), codecFrames: [first, ...others] };
    const pages = isSetUp ? [body] : [{ data: head, codecFrames: [] }, body];
    isSetUp = true;
    return decoder.decodeOggPages(pages as unknown as OggPages);
  };
  const decode: OggDecoder['decode'] = async (packets, isAfterLoss) => {
    if (packets.length === 0) return { block: [], badPackets: 0 };
    if (!isAfterLoss) {
      const { channelData, errors } = await decodePackets(packets);
      return { block: toWavOrder(channelData), badPackets: errors.length };
    }
    // The first packet is overlapped with one that it does not follow: its samples are counted and not heard.
    const first = await decode(packets.slice(0, 1), false);
    const rest = await decode(packets.slice(1), false);
    const block = first.block.map((samples, index) => {
      const heard = rest.block[index] ?? new Float32Array(0);
      const joined = new Float32Array(samples.length + heard.length);
      joined.set(heard, samples.length);
      return joined;
    });
    return { block, badPackets: first.badPackets + rest.badPackets };
  };
  return { preSkip: 0, decode, free: () => decoder.free() };
}
