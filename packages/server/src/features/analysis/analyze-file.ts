import type { DetectedAnalysis, FeatureName } from '@stem-studio/contract/resources/analysis';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { AnalyzeRequest } from './analyze.process.ts';
import { parseNewAnalysis } from './stored-analysis.ts';

/** Options of {@link analyzeFile}. */
export interface AnalyzeFileOptions {
  /** Absolute path of an audio file. */
  readonly path: string;
  readonly features: readonly FeatureName[];
  readonly maxDurationSeconds: number;
  readonly signal: AbortSignal;
  /** Receives the completed fraction, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Analyses a file in a process with limited memory and time. Rejects with a message for the user if the file is no
 * audio or exceeds a limit, or with the reason of the signal.
 */
export async function analyzeFile({
  signal,
  onProgress,
  ...request
}: AnalyzeFileOptions): Promise<DetectedAnalysis> {
  const found = await runInProcess<unknown>({
    module: new URL('./analyze.process.ts', import.meta.url),
    limits: decodingLimits('the recording', request.maxDurationSeconds),
    input: request satisfies AnalyzeRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return parseNewAnalysis(found);
}
