import {
  type AnalysisResult,
  analysisResult,
  type FeatureName,
} from '@stem-studio/contract/resources/analysis';
import { runInThread } from '../../platform/process/thread.ts';
import type { AnalyzeRequest } from './analyze.thread.ts';

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

/** Listens to a file in a thread of its own. Rejects with a sentence when it is no sound, or with the signal's reason. */
export async function analyzeFile({
  signal,
  onProgress,
  ...request
}: AnalyzeFileOptions): Promise<AnalysisResult> {
  const found = await runInThread<unknown>({
    module: new URL('./analyze.thread.ts', import.meta.url),
    input: request satisfies AnalyzeRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return analysisResult.parse(found);
}
