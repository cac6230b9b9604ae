import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { Context } from '../../../platform/context.ts';
import type { CloudKey } from '../../cloudsep/index.ts';
import type { SeparationProgress } from '../separation-engine.ts';

/** What the cloud engine is to do, and for whom. */
export interface CloudOrder {
  readonly jobId: string;
  readonly userId: number;
  /** The received sound. */
  readonly soundId: string;
  readonly stemTypes: readonly CloudStemType[];
  readonly isPreview: boolean;
}

/** A separation under way. */
export interface CloudRun {
  readonly context: Context;
  readonly order: CloudOrder;
  readonly key: CloudKey;
  readonly signal: AbortSignal;
  /** Rows of the tasks that were asked for: the job they belong to may be gone by the end. */
  readonly held: Set<string>;
  readonly report: (progress: SeparationProgress) => void;
}

/** From which percent to which each stage leads. */
export const stages = {
  upload: [0, 10],
  waiting: [10, 10],
  splitting: [10, 80],
  downloading: [80, 90],
  writing: [90, 99],
} as const;

/** Tells how far a stage is, 0 to 1. */
export function tell(
  { report }: CloudRun,
  stage: keyof typeof stages,
  fraction: number,
  words: string,
  etaSeconds: number | null = null,
): void {
  const [from, to] = stages[stage];
  report({ percent: from + (to - from) * fraction, stage: words, etaSeconds });
}
