import { stat } from 'node:fs/promises';
import type { ExportFormat } from '@stem-studio/contract/export-formats';
import { exportEncoder, openEncoder } from './export-encoders.ts';
import { renderTempoAndKey, type TempoAndKey } from './render-tempo-and-key.ts';
import { type StemTags, writeStemTags } from './stem-tags.ts';
import { openSum, peakOf } from './sum-of-files.ts';
import { writeAudioFile } from './write-audio-file.ts';

/** Request to the encoding thread. Paths are absolute. */
export interface EncodeStemRequest {
  /** One stem, or several to be summed: stems of one separation, with equal length, sample rate and bit depth. */
  readonly inputPaths: readonly string[];
  readonly outputPath: string;
  readonly format: ExportFormat;
  /**
   * Factor for every sample, so that a peak above full scale fits into integers; null to measure the peak first.
   * Ignored by formats that keep values above full scale.
   */
  readonly gain: number | null;
  /** Tempo and key to render; without them the stored samples are kept exactly. */
  readonly tempoAndKey?: TempoAndKey | null;
  readonly tags: StemTags;
  /** Cover art to embed, its type given by its extension; null for none. */
  readonly coverPath: string | null;
}

/**
 * Encodes a stored stem, or the sum of several, as a file with tags. Writes a file because the formats patch their
 * first bytes at the end. Throws a RangeError for an unknown format before writing anything.
 */
export async function encodeStem(request: EncodeStemRequest): Promise<void> {
  const format = exportEncoder(request.format);
  const { tempoAndKey } = request;
  // The renderer's limiter keeps its output within full scale.
  const gainOfSum = tempoAndKey ? 1 : request.gain;
  const peak = gainOfSum === null ? await peakOf(request.inputPaths) : 0;
  const gain = format.keepsOverloads ? 1 : (gainOfSum ?? 1 / Math.max(1, peak));
  const source = await openSum(request.inputPaths);
  const encoder = await openEncoder(format, source.info, peak);
  const blocks = tempoAndKey ? renderTempoAndKey(source, tempoAndKey) : source.blocks;
  try {
    await writeAudioFile(encoder, gain === 1 ? blocks : scaled(blocks, gain), request.outputPath);
  } finally {
    await source.close();
  }
  if ((await stat(request.outputPath)).size >= format.tagLimitBytes) return;
  await writeStemTags(request.outputPath, request.tags, request.coverPath);
}

async function* scaled(blocks: AsyncIterable<Float32Array[]>, gain: number): AsyncGenerator<Float32Array[]> {
  for await (const block of blocks) yield block.map((samples) => samples.map((sample) => sample * gain));
}
