import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { Context } from '../../../platform/context.ts';
import type { CloudKey } from '../../cloudsep/index.ts';
import type { SeparationProgress } from '../separation-engine.ts';

/** A separation order for the cloud engine. */
export interface CloudOrder {
  readonly jobId: string;
  readonly userId: number;
  /** Id of the received audio source. */
  readonly audioSourceId: string;
  readonly stemTypes: readonly CloudStemType[];
  readonly isPreview: boolean;
}

/** A running separation. */
export interface CloudRun {
  readonly context: Context;
  readonly order: CloudOrder;
  readonly key: CloudKey;
  readonly signal: AbortSignal;
  /** Row ids of the requested tasks: their job may be deleted before the run ends. */
  readonly held: Set<string>;
  readonly report: (progress: SeparationProgress) => void;
}

/** First and last percentage of each stage. */
export const stages = {
  upload: [0, 10],
  waiting: [10, 10],
  splitting: [10, 80],
  downloading: [80, 90],
  writing: [90, 99],
} as const;

/** Reports the progress of a stage, 0 to 1. */
export function reportStage(
  { report }: CloudRun,
  stage: keyof typeof stages,
  fraction: number,
  message: string,
  etaSeconds: number | null = null,
): void {
  const [from, to] = stages[stage];
  report({ percent: from + (to - from) * fraction, stage: message, etaSeconds });
}
