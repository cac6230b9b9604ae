import { stat } from 'node:fs/promises';
import type { ExportFormat } from '@stem-studio/contract/export-formats';
import { serveProcess } from '../../../platform/process/serve-process.ts';
import { exportEncoder } from '../export-encoders.ts';
import { type StemTags, writeStemTags } from '../stem-tags.ts';
import { writeAudioFile } from '../write-audio-file.ts';
import { MixRendering, type RenderedMix } from './render-mix.ts';

/** Request to the rendering process. Paths are absolute. */
export interface RenderMixRequest extends RenderedMix {
  readonly outputPath: string;
  readonly format: ExportFormat;
  readonly bitDepth: 16 | 24;
  readonly tags: StemTags;
  /** Cover art to embed, its type given by its extension; null for none. */
  readonly coverPath: string | null;
}

/** Renders a mix into a file with tags. Progress is a fraction; the result is the size of the file in bytes. */
serveProcess<RenderMixRequest, number>(
  async ({ outputPath, format, bitDepth, tags, coverPath, ...mix }, report) => {
    const rendering = await MixRendering.open(mix);
    try {
      const encoder = exportEncoder(format);
      const { sampleRateHz: sampleRate } = rendering;
      // The renderer's limiter keeps its output within full scale.
      const input = { sampleRate, channels: 2, storedBits: bitDepth, peak: 0 } as const;
      await writeAudioFile(await encoder.open(input), rendering.blocks(report), outputPath);
      const { size } = await stat(outputPath);
      if (size < encoder.tagLimitBytes) await writeStemTags(outputPath, tags, coverPath);
      return (await stat(outputPath)).size;
    } finally {
      await rendering.close();
    }
  },
);
