import type { AudioEncoder } from '../format/audio-encoder.ts';
import type { AudioInfo, AudioWarning } from '../format/audio-source.ts';
import { type AudioOptions, openAudio } from '../format/audio-stream.ts';

/** A completely decoded file: one array per audio channel. */
export interface DecodedFile {
  info: AudioInfo;
  warnings: readonly AudioWarning[];
  samples: Float32Array[];
}

/** Yields bytes as a stream of chunks of at most `chunkBytes`; `onReturn` is called if the reader ends it early. */
export async function* toChunks(
  bytes: Uint8Array,
  chunkBytes = 4096,
  onReturn: () => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  try {
    for (; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  } finally {
    onReturn();
  }
}

/**
 * Decodes a whole file.
 *
 * @throws AudioFormatError
 */
export async function decodeFile(
  bytes: Uint8Array,
  options: AudioOptions = {},
  chunkBytes = 4096,
): Promise<DecodedFile> {
  const source = await openAudio(toChunks(bytes, chunkBytes), options);
  const blocks: Float32Array[][] = [];
  for await (const block of source.blocks) blocks.push(block);
  const samples = Array.from({ length: source.info.channels }, (_, index) =>
    joinSamples(blocks.map((block) => block[index] ?? new Float32Array(0))),
  );
  return { info: source.info, warnings: source.warnings, samples };
}

/** Encodes a whole song and applies the patches, like a writer of files. */
export async function encodeFile(
  encoder: AudioEncoder,
  song: Float32Array[],
  blockSamples = 4999,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < (song[0]?.length ?? 0); from += blockSamples) {
    parts.push(await encoder.encode(song.map((samples) => samples.subarray(from, from + blockSamples))));
  }
  const { tail, patches } = await encoder.finish();
  parts.push(tail);
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  for (const { offset, bytes } of patches) file.set(bytes, offset);
  return file;
}

/** Concatenates arrays of samples. */
export function joinSamples(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Creates a test song below full scale: in each audio channel its own two tones, with a click that reveals shifts. */
export function createTestSong(length: number, sampleRate: number, channels = 2): Float32Array[] {
  return Array.from({ length: channels }, (_, index) =>
    Float32Array.from({ length }, (__, frame) => {
      const seconds = frame / sampleRate;
      const tone = 0.4 * Math.sin(2 * Math.PI * (330 + 110 * index) * seconds);
      const overtone = 0.2 * Math.sin(2 * Math.PI * 1234.5 * seconds + index);
      return tone + overtone + (frame % 10007 === 5000 ? 0.3 : 0);
    }),
  );
}

/** Returns the signal-to-noise ratio of `got`: 10·log10(energy of wanted / energy of the difference), in dB. */
export function signalToNoiseDb(wanted: readonly Float32Array[], got: readonly Float32Array[]): number {
  let signal = 0;
  let noise = 0;
  for (const [index, samples] of wanted.entries()) {
    for (const [frame, sample] of samples.entries()) {
      signal += sample ** 2;
      noise += ((got[index]?.[frame] ?? 0) - sample) ** 2;
    }
  }
  return 10 * Math.log10(signal / noise);
}
