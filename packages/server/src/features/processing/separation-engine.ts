import type { StemType } from '@stem-studio/contract/resources/stem';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { AsideFolder } from '../../platform/files/files.ts';

/** What an engine is asked. */
export interface SeparationRequest {
  /** Absolute path of the received sound. */
  readonly inputPath: string;
  readonly model: SeparationModelName;
  /** Only the first so many seconds; null for all of it. */
  readonly maxSeconds: number | null;
  /** Where `<stem type>.wav` are to be written. */
  readonly output: AsideFolder;
}

/** One stem that an engine wrote into the output folder. */
export interface StemFile {
  readonly stemType: StemType;
  readonly fileName: string;
  readonly durationMs: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Largest absolute sample, 1 is full scale. */
  readonly peak: number;
}

/** All stems of a separation, and what made them. */
export interface SeparationOutcome {
  readonly stems: readonly StemFile[];
  readonly backend: string;
  /** What the cloud engine tells of its work beside. */
  readonly cloud?: { readonly residualDb: number | null; readonly warnings: readonly string[] };
}

/** How far an engine is. */
export interface SeparationProgress {
  readonly percent: number;
  readonly stage: string;
  readonly etaSeconds: number | null;
}

/** The engine says that it cannot be done; asking again would not help. The message is for the user. */
export class SeparationRefused extends Error {
  override readonly name = 'SeparationRefused';
}

/** The engine died or fell silent: not its word about the sound, so another attempt may work. */
export class SeparationCrashed extends Error {
  override readonly name = 'SeparationCrashed';
  readonly isRetryable = true;
}

/**
 * Something that separates sound into stems. Throws {@link SeparationRefused} or {@link SeparationCrashed}; when the
 * signal aborts, it ends at once and leaves no process.
 */
export interface SeparationEngine {
  separate(
    request: SeparationRequest,
    run: { readonly signal: AbortSignal; readonly report: (progress: SeparationProgress) => void },
  ): Promise<SeparationOutcome>;
}
