import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { AudioFormatError } from './audio-format-error.ts';
import type { DecoderOptions, DecoderStream } from './audio-source.ts';
import type { ByteReader } from './byte-reader.ts';
import { type OggDecoder, type OggFormat, openOgg } from './ogg-audio.ts';
import { toWavOrder } from './surround-order.ts';
import { describeVorbis, isVorbisHead } from './vorbis-head.ts';
import { isVorbisAudio, parseVorbisSetup } from './vorbis-setup.ts';

type LibraryPages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

/** Magnitude above which samples, and values that are not numbers, count as damage and become 0. */
const MAX_SAMPLE = 2 ** 20;

/**
 * Decodes Ogg Vorbis without gaps; `reader` is at byte 0.
 *
 * @see openOgg
 */
export function openVorbis(reader: ByteReader, { readEnd }: DecoderOptions): Promise<DecoderStream> {
  return openOgg(reader, vorbis, readEnd);
}

const vorbis: OggFormat = {
  name: 'Vorbis',
  headerPackets: 3,
  maySkipByPosition: true,
  isStreamHead: isVorbisHead,
  describe: describeVorbis,
  createDecoder,
};

/**
 * Creates a decoder for one logical stream: an instance of the library, whose 16 MiB of memory never grow, and its
 * state.
 */
async function createDecoder(headers: readonly Uint8Array[]): Promise<OggDecoder> {
  const [head = new Uint8Array(0), , setup = new Uint8Array(0)] = headers;
  const channels = head[11] ?? 0;
  const modes = parseVorbisSetup(setup, channels);
  // The library reports invalid headers only with the first packet, and an instance cannot be used after an invalid
  // one.
  const trial = await startLibrary(head, setup);
  const { errors } = await trial([new Uint8Array(0)]);
  if (errors.some(({ message }) => /headerin|init/.test(message)))
    throw new AudioFormatError('malformed', 'the Vorbis setup must be whole (the decoder refuses it)');
  const decodePackets = await startLibrary(head, setup);

  /** Whether the packet before the next one is missing, so that there is nothing to overlap with. */
  let isAfterGap = false;
  const decodeRun = async (packets: Uint8Array[]): Promise<Float32Array[]> => {
    const { channelData, errors } = await decodePackets(packets);
    if (errors.length > 0) throw new Error(`packets that were checked must decode (${errors[0]?.message})`);
    return channelData;
  };
  return {
    preSkip: 0,
    async decode(packets, isAfterLoss) {
      isAfterGap ||= isAfterLoss;
      const parts: Float32Array[][] = [];
      let badPackets = 0;
      for (let from = 0; from < packets.length; ) {
        const bad = packets.findIndex((packet, index) => index >= from && !isVorbisAudio(packet, modes));
        const to = bad < 0 ? packets.length : bad;
        let run = packets.slice(from, to);
        if (isAfterGap && run.length > 0) {
          // The output of this packet overlaps with a packet that it does not follow: it is dropped, like the lost
          // samples.
          await decodeRun(run.slice(0, 1));
          run = run.slice(1);
          isAfterGap = false;
        }
        if (run.length > 0) parts.push(await decodeRun(run));
        if (bad >= 0) {
          badPackets++;
          isAfterGap = true;
        }
        from = to + 1;
      }
      const block = joinParts(parts, channels);
      for (const samples of block) replaceInvalid(samples);
      return { block: toWavOrder(block), badPackets };
    },
    // The memory of an instance is collected with it. Freeing parts of it beforehand could crash on damage.
    free: () => undefined,
  };
}

/** Starts an instance of the library and returns its packet decoder, which begins with the headers. */
async function startLibrary(head: Uint8Array, setup: Uint8Array) {
  const library = new OggVorbisDecoder();
  await library.ready;
  let hasHeaders = false;
  return (packets: readonly Uint8Array[]) => {
    // Pages in the form of the library's own parser, reduced to the fields that its decoder reads.
    const codecFrames = packets.map((data) => ({ data, header: { vorbisSetup: setup } }));
    const body = { data: new Uint8Array(0), codecFrames };
    const pages = hasHeaders ? [body] : [{ data: head, codecFrames: [] }, body];
    hasHeaders = true;
    return library.decodeOggPages(pages as unknown as LibraryPages);
  };
}

function joinParts(parts: readonly Float32Array[][], channels: number): Float32Array[] {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const length = parts.reduce((sum, part) => sum + (part[0]?.length ?? 0), 0);
  return Array.from({ length: channels }, (_, channel) => {
    const joined = new Float32Array(length);
    let offset = 0;
    for (const part of parts) {
      const samples = part[channel] ?? new Float32Array(0);
      joined.set(samples, offset);
      offset += samples.length;
    }
    return joined;
  });
}

/**
 * Replaces invalid samples by 0. Only every eighth sample is tested first: the transform spreads an infinite value or
 * NaN over a whole block, of which the shortest yields 32 samples.
 */
function replaceInvalid(samples: Float32Array): void {
  let isValid = true;
  for (let index = 0; index < samples.length; index += 8) isValid &&= isSample(samples[index] as number);
  if (isValid) return;
  for (let index = 0; index < samples.length; index++)
    if (!isSample(samples[index] as number)) samples[index] = 0;
}

function isSample(value: number): boolean {
  return value < MAX_SAMPLE && value > -MAX_SAMPLE;
}
