import { createReadStream } from 'node:fs';
import { copyFile, open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { writePeaks } from '@stem-studio/dsp/format/peaks-file';
import { createPeaksBuilder } from '@stem-studio/dsp/signal/peaks';
import { createResampler } from '@stem-studio/dsp/signal/resample';
import { readEnd } from '../../platform/files/read-end.ts';
import { createAudioHash } from './audio-hash.ts';
import { planRendition, type RenditionPlan } from './rendition-plan.ts';
import { type RenditionTags, writeTags } from './write-tags.ts';

/** Input of the preparing process. Paths are absolute. */
export interface PrepareRequest {
  readonly audioPath: string;
  /** Folder for `track.<extension>` and, if requested, `peaks.bin`. */
  readonly outputFolder: string;
  readonly quality: DownloadQuality;
  readonly withPeaks: boolean;
  readonly maxDurationSeconds: number;
  readonly tags: RenditionTags;
}

/** Result of decoding and encoding the received bytes. */
export type PrepareOutcome =
  | {
      readonly kind: 'ready';
      readonly info: AudioInfo;
      readonly durationMs: number;
      readonly warnings: readonly string[];
      readonly renditionName: string;
      /** Hash of the decoded samples. */
      readonly audioHash: string;
    }
  /** The file is not usable audio; `message` gives the reason. */
  | { readonly kind: 'refused'; readonly message: string };

async function encoderOf(plan: RenditionPlan): Promise<AudioEncoder | null> {
  if (plan.kind === 'flac') return createFlacEncoder(plan);
  return plan.kind === 'mp3' ? createMp3Encoder(plan) : null;
}

/** Returns a converter to the plan's sample rate and channel count; null where nothing is encoded. */
function shaper(plan: RenditionPlan, info: AudioInfo) {
  if (plan.kind === 'copy') return null;
  const fold = plan.kind === 'mp3' && info.channels > 2;
  const resampler =
    plan.sampleRate === info.sample_rate
      ? null
      : createResampler({ fromRate: info.sample_rate, toRate: plan.sampleRate, channels: plan.channels });
  return {
    shape(block: Float32Array[]): Float32Array[] {
      const folded = fold ? downmixToStereo(block) : block;
      return resampler ? resampler.process(folded) : folded;
    },
    rest: (): Float32Array[] | null => resampler?.flush() ?? null,
  };
}

/**
 * Decodes the received audio completely, which proves that it is playable. Encodes the requested quality and computes
 * the waveform peaks on the way: `bytes → decode → (fold, resample) → encode`, and `decode → peaks`. Memory does not
 * grow with the length. Progress is a fraction.
 */
export async function prepareAudio(
  request: PrepareRequest,
  report: (fraction: number) => void,
): Promise<PrepareOutcome> {
  try {
    return await prepare(request, report);
  } catch (error) {
    if (error instanceof AudioFormatError) return { kind: 'refused', message: error.message };
    throw error;
  }
}

async function prepare(request: PrepareRequest, report: (fraction: number) => void): Promise<PrepareOutcome> {
  const bytes = createReadStream(request.audioPath, { highWaterMark: 1 << 18 });
  const { size } = await stat(request.audioPath);
  const source = await openAudio(bytes, {
    maxDurationSeconds: request.maxDurationSeconds,
    fileBytes: size,
    readEnd: (count) => readEnd(request.audioPath, count),
  });
  const { info } = source;
  const plan = planRendition(info, request.quality);
  const renditionName = `track.${plan.extension}`;
  const renditionPath = join(request.outputFolder, renditionName);
  const peaks = request.withPeaks ? createPeaksBuilder({ sampleRate: info.sample_rate }) : null;
  const audioHash = createAudioHash({ sampleRate: info.sample_rate, channels: info.channels });
  const shape = shaper(plan, info);
  const encoder = await encoderOf(plan);
  const out = encoder ? await open(renditionPath, 'w') : null;
  let samples = 0;
  try {
    const write = async (block: Float32Array[]) => {
      if (!encoder || !out || (block[0]?.length ?? 0) === 0) return;
      const bytes = await encoder.encode(block);
      if (bytes.length > 0) await out.writeFile(bytes);
    };
    for await (const block of source.blocks) {
      samples += block[0]?.length ?? 0;
      peaks?.push(block);
      audioHash.push(block);
      if (shape) await write(shape.shape(block));
      // Not every format declares its length, but the file size is always known.
      report(Math.min(1, info.declared_frames ? samples / info.declared_frames : bytes.bytesRead / size));
    }
    const rest = shape?.rest();
    if (rest) await write(rest);
    if (encoder && out) {
      const { tail, patches } = await encoder.finish();
      if (tail.length > 0) await out.writeFile(tail);
      for (const patch of patches) await out.write(patch.bytes, 0, patch.bytes.length, patch.offset);
    }
  } finally {
    await source.close();
    await encoder?.close();
    await out?.close();
  }
  if (!encoder) await copyFile(request.audioPath, renditionPath);
  await writeTags(renditionPath, request.tags);
  if (peaks) await writeFile(join(request.outputFolder, 'peaks.bin'), writePeaks(peaks.finish()));
  return {
    kind: 'ready',
    info,
    durationMs: Math.round((samples / info.sample_rate) * 1000),
    warnings: source.warnings.map((warning) => warning.message),
    renditionName,
    audioHash: audioHash.finish(),
  };
}
