import { open, stat } from 'node:fs/promises';
import type { ExportFormat } from '@stem-studio/contract/endpoints/exports';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { type StemTags, writeStemTags } from './stem-tags.ts';
import { fitsIntegers, openSum, peakOf } from './sum-of-files.ts';

/** What the thread is asked. Paths are absolute. */
export interface EncodeStemRequest {
  /** One stem, or several whose sum it is to be: stems of one separation, so of one length, rate and depth. */
  readonly inputPaths: readonly string[];
  readonly outputPath: string;
  readonly format: ExportFormat;
  /**
   * Every sample is multiplied by it, so that what exceeds full scale fits into integers; null where the loudest sample
   * is looked for first. A WAV is never changed: where it does not fit it is one of floats.
   */
  readonly gain: number | null;
  readonly tags: StemTags;
  /** A picture that goes into the file, its kind being its ending; null for none. */
  readonly coverPath: string | null;
}

const mp3BitrateKbps = 320;
/** Room for tags and a picture below what the sizes of a WAV can say. */
const longestTaggedWav = 2 ** 32 - 2 ** 26;

function encoderFor(format: ExportFormat, info: AudioInfo, peak: number): Promise<AudioEncoder> {
  const sampleRate = info.sample_rate;
  const channels = info.channels === 1 ? 1 : 2;
  const isShort = info.bits_per_sample === 16;
  if (format === 'mp3') return createMp3Encoder({ sampleRate, channels, bitrateKbps: mp3BitrateKbps });
  if (format === 'flac') return createFlacEncoder({ sampleRate, channels, bitDepth: isShort ? 16 : 24 });
  const isWhole = info.bits_per_sample !== 32 && fitsIntegers(peak, isShort ? 16 : 24);
  const bitDepth = isWhole ? (isShort ? '16' : '24') : '32f';
  return Promise.resolve(createWavEncoder({ sampleRate, channels, bitDepth }));
}

/**
 * Encodes a stored stem, or the sum of some, as a file with tags. A file, because the formats patch their first bytes
 * at the end.
 */
export async function encodeStem(request: EncodeStemRequest): Promise<void> {
  const peak = request.gain === null ? await peakOf(request.inputPaths) : 0;
  const gain = request.format === 'wav' ? 1 : (request.gain ?? 1 / Math.max(1, peak));
  const source = await openSum(request.inputPaths);
  const encoder = await encoderFor(request.format, source.info, peak);
  const out = await open(request.outputPath, 'w');
  try {
    for await (const block of source.blocks) {
      const fitted = gain === 1 ? block : block.map((samples) => samples.map((sample) => sample * gain));
      const bytes = await encoder.encode(fitted);
      if (bytes.length > 0) await out.writeFile(bytes);
    }
    const { tail, patches } = await encoder.finish();
    if (tail.length > 0) await out.writeFile(tail);
    for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
  } finally {
    await source.close();
    await encoder.close();
    await out.close();
  }
  // The long form of a WAV keeps its sizes where writers of tags do not look.
  if (request.format === 'wav' && (await stat(request.outputPath)).size >= longestTaggedWav) return;
  await writeStemTags(request.outputPath, request.tags, request.coverPath);
}
