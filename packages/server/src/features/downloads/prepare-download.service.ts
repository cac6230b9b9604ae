import type { Context } from '../../platform/context.ts';
import { unavailable } from '../../platform/errors.ts';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { JobRun } from '../../platform/queue/worker.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import type { AudioSourceRow } from '../tracks/index.ts';
import { type DecodingOutcome, decodeUnsupported } from './decode-unsupported.ts';
import type { DownloadArgs } from './download-args.ts';
import type { PrepareOutcome, PrepareRequest } from './prepare-audio.ts';
import { receivingPercent } from './receive-audio.ts';
import { findSourceTags } from './source-tags.ts';
import type { RenditionTags } from './write-tags.ts';

/** Audio that was decoded completely and encoded in the requested quality, in a staging folder. */
export interface PreparedAudio {
  readonly kind: 'ready';
  readonly outcome: Extract<PrepareOutcome, { kind: 'ready' }>;
  /** Audio decoded by ffmpeg; null where that was not needed. */
  readonly decoded: Extract<DecodingOutcome, { kind: 'decoded' }> | null;
  readonly tags: Omit<RenditionTags, 'isrc'>;
  /** Problem with the tags of the file, or null. */
  readonly warning: string | null;
}

/** Bytes that can never be decoded as audio. */
export interface RefusedAudio {
  readonly kind: 'refused';
  readonly reason: string;
}

/** Input of a preparation. */
export interface Preparation {
  readonly args: DownloadArgs;
  /** Absolute path of the received file. */
  readonly path: string;
  /** The stored source of these bytes, which is decoded already. */
  readonly known: AudioSourceRow | undefined;
  readonly isrc: string | null;
  /** Absolute path of the staging folder. */
  readonly outputFolder: string;
}

/** Decodes received audio, encodes the requested quality with its tags, and computes waveform peaks of new audio. */
export async function prepareDownload(
  context: Context,
  run: JobRun,
  { args, path, known, isrc, outputFolder }: Preparation,
): Promise<PreparedAudio | RefusedAudio> {
  const { tags, warning } = await findSourceTags(context, args, path, run.signal);
  await run.report({ status: 'processing', progress: receivingPercent, message: 'checking the audio' });
  const startedMs = context.clock.monotonicMs();
  const decoded = known ? null : await decodeUnsupported(context, path, outputFolder, run.signal);
  if (decoded?.kind === 'refused') return { kind: 'refused', reason: decoded.message };
  // Thrown, so that the bytes of an upload are kept until an ffmpeg is installed.
  if (decoded?.kind === 'missing') throw unavailable(`${decoded.message}. Then press Retry.`);
  const outcome = await runInProcess<PrepareOutcome>({
    module: new URL('./prepare.process.ts', import.meta.url),
    limits: decodingLimits('the file', context.config.maxDurationSeconds),
    input: {
      audioPath: known ? context.files.absolute(known.audio_path) : (decoded?.path ?? path),
      outputFolder,
      quality: args.quality,
      withPeaks: !known,
      maxDurationSeconds: context.config.maxDurationSeconds,
      tags: { ...tags, isrc },
    } satisfies PrepareRequest,
    signal: run.signal,
    onProgress(fraction) {
      const part = fraction as number;
      void run.report({
        progress: receivingPercent + Math.floor(part * (99 - receivingPercent)),
        message: 'converting',
        eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, part),
      });
    },
  });
  if (outcome.kind === 'refused') return { kind: 'refused', reason: outcome.message };
  return { kind: 'ready', outcome, decoded, tags, warning };
}
