import { ascii, ByteReader } from '@stem-studio/dsp/format/byte-reader';
import { createPcmReader, type PcmReader } from '@stem-studio/dsp/format/pcm-samples';
import { readWavHeader } from '@stem-studio/dsp/format/wav-header';
import type { ChunkSamples } from './chunk.ts';

/** Bytes of a part of a file, and the length of the whole. */
export interface FileRange {
  bytes: Uint8Array<ArrayBuffer>;
  totalBytes: number;
}

/** Reads bytes `from` to `to` (excluded) of a file, fewer where the file ends before; `signal` ends that early. */
export type ReadRange<Signal> = (
  address: string,
  from: number,
  to: number,
  signal: Signal,
) => Promise<FileRange>;

/** Bytes that include every header of a WAV file before its samples. */
const HEAD_BYTES = 65_536;
/** Bits of a sample that stays an integer. */
const INT16_BITS = 16;

/** A WAV file with random access. */
export interface ReadableStem<Signal> {
  readonly frames: number;
  readonly channels: number;
  readonly sampleRateHz: number;
  /** Bytes per sample frame in memory. */
  readonly bytesPerFrame: number;
  /** Reads frames `from` to `to` (excluded): 16-bit samples stay as they are, others become floats. */
  read(from: number, to: number, signal: Signal): Promise<ChunkSamples>;
}

/**
 * Opens a WAV file by its first bytes.
 *
 * @throws RangeError where it is no WAV or has more than two audio channels, AudioFormatError where it is damaged
 */
export async function openStemFile<Signal>(
  address: string,
  fetchRange: ReadRange<Signal>,
  signal: Signal,
): Promise<ReadableStem<Signal>> {
  const head = await fetchRange(address, 0, HEAD_BYTES, signal);
  const reader = new ByteReader(once(head.bytes));
  const first = await reader.fill(12);
  if (first.length < 12 || !/^(RIFF|RF64)$/.test(ascii(first, 0, 4)) || ascii(first, 8, 12) !== 'WAVE') {
    throw new RangeError(`a stem must be a WAV file (got ${head.totalBytes} bytes of something else)`);
  }
  const header = await readWavHeader(reader);
  const start = reader.position;
  const { channels, frameBytes, sampleRate, sampleBytes, encoding } = header;
  if (channels > 2) throw new RangeError(`a stem must have 1 or 2 audio channels (got ${channels})`);
  const there = Math.max(0, head.totalBytes - start);
  const frames = Math.floor(Math.min(header.dataBytes ?? there, there) / frameBytes);
  const isInt16 = encoding === 'integer' && header.bitsPerSample === INT16_BITS && sampleBytes === 2;
  const readSamples = createPcmReader(header);
  return {
    frames,
    channels,
    sampleRateHz: sampleRate,
    bytesPerFrame: (isInt16 ? 2 : 4) * channels,
    async read(from, to, readSignal) {
      const { bytes } = await fetchRange(
        address,
        start + from * frameBytes,
        start + to * frameBytes,
        readSignal,
      );
      const count = Math.floor(bytes.length / frameBytes);
      if (count < to - from) {
        throw new RangeError(
          `a stem must hold frame ${to - 1} (got ${from + count} frames): it changed while it played`,
        );
      }
      if (isInt16) return new Int16Array(bytes.buffer, bytes.byteOffset, count * channels);
      return interleave(readSamples, bytes, count, channels);
    },
  };
}

function interleave(
  readSamples: PcmReader,
  bytes: Uint8Array,
  frames: number,
  channels: number,
): Float32Array<ArrayBuffer> {
  const split = Array.from({ length: channels }, () => new Float32Array(frames));
  readSamples(bytes, frames, split);
  const joined = new Float32Array(frames * channels);
  for (const [channel, samples] of split.entries()) {
    for (let frame = 0; frame < frames; frame++) joined[frame * channels + channel] = samples[frame] ?? 0;
  }
  return joined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
