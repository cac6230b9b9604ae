import {
  type AnalysisResult,
  analysisResult,
  type FeatureName,
} from '@stem-studio/contract/resources/analysis';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { AnalyzeRequest } from './analyze.process.ts';

/** What `analyzeFile` needs. */
export interface AnalyzeFileOptions {
  /** Absolute path of a file of sound. */
  readonly path: string;
  readonly features: readonly FeatureName[];
  readonly maxDurationSeconds: number;
  readonly signal: AbortSignal;
  /** How much has been heard, as a fraction. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Analyses a file in a limited process. Rejects with a sentence when it is no audio or passes a limit, or with the
 * signal's reason.
 */
export async function analyzeFile({
  signal,
  onProgress,
  ...request
}: AnalyzeFileOptions): Promise<AnalysisResult> {
  const found = await runInProcess<unknown>({
    module: new URL('./analyze.process.ts', import.meta.url),
    limits: decodingLimits('the recording', request.maxDurationSeconds),
    input: request satisfies AnalyzeRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return analysisResult.parse(found);
}
