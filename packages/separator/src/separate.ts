import type { StemType } from '@stem-studio/contract/resources/stem';
import { separationModels } from '@stem-studio/contract/separation-models';
import type { SeparatorProgress, SeparatorRequest, SeparatorResult } from '@stem-studio/contract/separator';
import { openAudioFile, type SeparableAudio, stemSampleRate } from './audio-file.ts';
import type { Backend, StemEstimates } from './backends/backend.ts';
import { monotonicMs } from './clock.ts';
import { collectGarbage } from './collect-garbage.ts';
import { mapInOrder } from './in-order.ts';
import type { Backends } from './models.ts';
import { createSeam, cutSegments, type Segment } from './segments.ts';
import { StemFiles } from './stem-files.ts';
import type { Stereo } from './stereo.ts';

/** Frames encoded at a time; bounds memory. */
const encodedFrames = 65_536;

type Pair = [Float32Array, Float32Array];

/** Receives the progress of a separation. */
export type ReportProgress = (progress: Omit<SeparatorProgress, 'type'>) => void;

/**
 * Separates an audio file into stem files.
 *
 * ```
 * file → 44.1 kHz stereo → segments → backend → seams → stems + residual → files
 *                                             └→ stems absent from the song → residual
 * ```
 *
 * If the backend measures the whole track first, the file is decoded twice. Memory does not depend on the length of the
 * track: a few segments are held at a time. Neither an abort nor an error leaves a file. The backend stays open.
 *
 * @throws SeparationError with a message for the user
 */
export async function separate(
  request: SeparatorRequest,
  {
    backends,
    signal,
    report,
  }: { readonly backends: Backends; readonly signal: AbortSignal; readonly report: ReportProgress },
): Promise<SeparatorResult> {
  const { stemTypes } = separationModels[request.model];
  const backend = await backends.open(request, {
    signal,
    onWait: () =>
      report({ percent: 0, stage: 'waiting for another separation by a network on this machine' }),
  });
  const open = (): Promise<SeparableAudio> =>
    openAudioFile(request.input_path, {
      maxSeconds: request.max_seconds,
      maxDurationSeconds: request.max_duration_seconds,
    });
  report({ percent: 0, stage: 'opening' });
  if (backend.measure) for await (const block of (await open()).blocks) backend.measure(block);
  const audio = await open();
  signal.throwIfAborted();
  const files = new StemFiles(request.output_dir, stemTypes, stemSampleRate, request.bit_depth);
  const discard = (): void => files.discard();
  signal.addEventListener('abort', discard, { once: true });
  try {
    await writeStems(backend, stemTypes.slice(0, -1), audio, files, signal, report);
    report({ percent: 99, stage: 'finishing' });
    const absent = backend.absentStems();
    for (const stem of absent) files.foldIntoResidual(stem);
    const written = files.finish();
    const warnings = [
      ...backend.warnings(),
      ...audio.warnings(),
      ...absent.map((stem) => `${stem}: none detected, so the stem is silent`),
    ];
    if (written.bitDepth !== request.bit_depth) {
      warnings.push(`a stem exceeds full scale: all stems are 32f instead of ${request.bit_depth}`);
    }
    const segmentMs = backend.segmentMs();
    return {
      type: 'result',
      stems: { ...written.paths },
      duration_ms: Math.round((written.frames / stemSampleRate) * 1000),
      sample_rate: stemSampleRate,
      channels: 2,
      bit_depth: written.bitDepth,
      peaks: { ...written.peaks },
      backend: backend.name,
      ...(segmentMs === null ? {} : { segment_ms: segmentMs }),
      peak_mb: process.resourceUsage().maxRSS / 1000,
      warnings,
    };
  } catch (error) {
    files.discard();
    throw error;
  } finally {
    signal.removeEventListener('abort', discard);
  }
}

async function writeStems(
  backend: Backend,
  estimatedStems: readonly StemType[],
  { blocks, expectedFrames }: SeparableAudio,
  files: StemFiles,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const { plan } = backend;
  const progress = trackProgress(expectedFrames, plan.segmentFrames - plan.overlapFrames, report);
  const seams = Array.from({ length: 2 * (estimatedStems.length + 1) }, () => createSeam(plan));
  const work = async (
    segment: Segment,
  ): Promise<{ mixture: Stereo; isLast: boolean; stems: StemEstimates }> => {
    signal.throwIfAborted();
    const { from, frames, isLast } = segment;
    const mixture = {
      left: segment.left.slice(from, from + frames),
      right: segment.right.slice(from, from + frames),
    };
    const stems = await backend.separate(segment, (part) => progress.part(segment.index, part));
    return { mixture, isLast, stems };
  };
  const segments = cutSegments(blocks, plan);
  for await (const { mixture, isLast, stems } of mapInOrder(segments, backend.parallelSegments, work)) {
    collectGarbage();
    signal.throwIfAborted();
    const pairs = [mixture, ...estimatedStems.map((name) => stems[name] as Stereo)].map(
      (pair, i) =>
        [
          seams[2 * i]?.push(pair.left, isLast) as Float32Array,
          seams[2 * i + 1]?.push(pair.right, isLast) as Float32Array,
        ] as const,
    );
    for (let from = 0; from < (pairs[0]?.[0].length ?? 0); from += encodedFrames) {
      const [whole, ...estimates] = pairs.map(([left, right]) => [
        left.subarray(from, from + encodedFrames),
        right.subarray(from, from + encodedFrames),
      ]) as [Pair, ...Pair[]];
      files.write({ frames: whole[0].length, mixture: whole, estimates });
    }
  }
}

/** Combines the progress of running segments into one percentage that never falls, with the estimated time left. */
function trackProgress(
  expectedFrames: number | null,
  hopFrames: number,
  report: ReportProgress,
): { part(index: number, part: number): void } {
  const started = monotonicMs();
  const parts: number[] = [];
  const expectedSegments =
    expectedFrames === null ? null : Math.max(1, Math.round(expectedFrames / hopFrames));
  let reported = 0;
  return {
    part(index, part) {
      parts[index] = part;
      const done = parts.reduce((sum, p) => sum + p, 0);
      // A stream of unknown length is assumed to have one more segment than have been started.
      const ratio = Math.min(1, done / (expectedSegments ?? done + parts.length + 1));
      const percent = Math.min(98, Math.floor(ratio * 98));
      // A finished segment is always reported: the parent takes a long silence for a stalled process.
      if (percent <= reported && part < 1) return;
      reported = Math.max(reported, percent);
      const elapsed = (monotonicMs() - started) / 1000;
      const eta =
        expectedSegments === null || ratio === 0 ? undefined : Math.round((elapsed / ratio) * (1 - ratio));
      report({ percent: reported, stage: 'separating', ...(eta === undefined ? {} : { eta_seconds: eta }) });
    },
  };
}
