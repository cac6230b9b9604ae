import type { StemType } from '@stem-studio/contract/resources/stem';
import { separationModels } from '@stem-studio/contract/separation-models';
import type { SeparatorProgress, SeparatorRequest, SeparatorResult } from '@stem-studio/contract/separator';
import { openAudioFile, stemSampleRate } from './audio-file.ts';
import type { Backend, StemEstimates, Stereo } from './backends/backend.ts';
import { monotonicMs } from './clock.ts';
import { mapInOrder } from './in-order.ts';
import { openBackend } from './models.ts';
import { createSeam, cutSegments, type Segment } from './segments.ts';
import { StemFiles } from './stem-files.ts';

/** So much is encoded at a time: more would only take more memory. */
const writtenFrames = 65_536;

type Pair = [Float32Array, Float32Array];

/** What a separation tells while it runs. */
export type ReportProgress = (progress: Omit<SeparatorProgress, 'type'>) => void;

/**
 * Separates a sound file into stem files.
 *
 * ```
 * file → 44.1 kHz stereo → segments → backend → seams → stems + residual → files
 * ```
 *
 * Memory does not grow with the length of the track: a few segments are held at a time. An abort, like any
 * failure, leaves no file behind.
 *
 * @throws SeparationError with a sentence for people
 */
export async function separate(
  request: SeparatorRequest,
  { signal, report }: { signal: AbortSignal; report: ReportProgress },
): Promise<SeparatorResult> {
  const backend = await openBackend(request.model);
  const { stemTypes } = separationModels[request.model];
  try {
    report({ percent: 0, stage: 'opening' });
    const audio = await openAudioFile(request.input_path, {
      maxSeconds: request.max_seconds,
      maxDurationSeconds: request.max_duration_seconds,
    });
    signal.throwIfAborted();
    const files = new StemFiles(request.output_dir, stemTypes, stemSampleRate, request.bit_depth);
    const discard = (): void => files.discard();
    signal.addEventListener('abort', discard, { once: true });
    try {
      await writeStems(
        backend,
        stemTypes.slice(0, -1),
        audio.blocks,
        audio.expectedFrames,
        files,
        signal,
        report,
      );
      report({ percent: 99, stage: 'finishing' });
      const written = files.finish();
      const warnings = [...audio.warnings()];
      if (written.bitDepth !== request.bit_depth) {
        warnings.push(`a stem exceeds full scale, so all stems are 32f instead of ${request.bit_depth}`);
      }
      return {
        type: 'result',
        stems: { ...written.paths },
        duration_ms: Math.round((written.frames / stemSampleRate) * 1000),
        sample_rate: stemSampleRate,
        channels: 2,
        bit_depth: written.bitDepth,
        peaks: { ...written.peaks },
        backend: backend.name,
        warnings,
      };
    } catch (error) {
      files.discard();
      throw error;
    } finally {
      signal.removeEventListener('abort', discard);
    }
  } finally {
    await backend.close();
  }
}

async function writeStems(
  backend: Backend,
  estimatedStems: readonly StemType[],
  blocks: AsyncIterable<Stereo>,
  expectedFrames: number | null,
  files: StemFiles,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const progress = trackProgress(expectedFrames, backend.segmentFrames - backend.overlapFrames, report);
  const seams = Array.from({ length: 2 * (estimatedStems.length + 1) }, () =>
    createSeam(backend.overlapFrames),
  );
  const work = async (
    segment: Segment,
  ): Promise<{ segment: Stereo; isLast: boolean; stems: StemEstimates }> => {
    signal.throwIfAborted();
    const given = { left: segment.left.slice(), right: segment.right.slice() };
    const stems = await backend.separate(given, (part) => progress.part(segment.index, part));
    return { segment, isLast: segment.isLast, stems };
  };
  const segments = cutSegments(blocks, backend);
  for await (const { segment, isLast, stems } of mapInOrder(segments, backend.parallelSegments, work)) {
    signal.throwIfAborted();
    const pairs = [segment, ...estimatedStems.map((name) => stems[name] as Stereo)].map(
      (pair, i) =>
        [
          seams[2 * i]?.push(pair.left, isLast) as Float32Array,
          seams[2 * i + 1]?.push(pair.right, isLast) as Float32Array,
        ] as const,
    );
    for (let from = 0; from < (pairs[0]?.[0].length ?? 0); from += writtenFrames) {
      const [mixture, ...estimates] = pairs.map(([left, right]) => [
        left.subarray(from, from + writtenFrames),
        right.subarray(from, from + writtenFrames),
      ]) as [Pair, ...Pair[]];
      files.write({ frames: mixture[0].length, mixture, estimates });
    }
  }
}

/** Turns the parts of the segments under way into one percentage that never falls, and an estimate of the rest. */
function trackProgress(
  expectedFrames: number | null,
  hopFrames: number,
  report: ReportProgress,
): { part(index: number, part: number): void } {
  const started = monotonicMs();
  const parts: number[] = [];
  const expectedSegments =
    expectedFrames === null ? null : Math.max(1, Math.round(expectedFrames / hopFrames));
  let told = 0;
  return {
    part(index, part) {
      parts[index] = part;
      const done = parts.reduce((sum, p) => sum + p, 0);
      // Of a stream that does not say its length, the part that is done can only be guessed: half of the rest.
      const ratio = Math.min(1, done / (expectedSegments ?? done + parts.length + 1));
      const percent = Math.min(98, Math.floor(ratio * 98));
      if (percent <= told) return;
      told = percent;
      const elapsed = (monotonicMs() - started) / 1000;
      const eta = expectedSegments === null ? undefined : Math.round((elapsed / ratio) * (1 - ratio));
      report({ percent, stage: 'separating', ...(eta === undefined ? {} : { eta_seconds: eta }) });
    },
  };
}
