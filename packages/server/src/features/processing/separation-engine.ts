import type { StemType } from '@stem-studio/contract/resources/stem';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { StagingFolder } from '../../platform/files/files.ts';

/** Input of an engine. */
export interface SeparationRequest {
  /** Absolute path of the received audio. */
  readonly inputPath: string;
  readonly model: SeparationModelName;
  /** Number of seconds to separate from the start; null for all of it. */
  readonly maxSeconds: number | null;
  /** Folder for the `<stem type>.wav` files. */
  readonly output: StagingFolder;
}

/** One stem that an engine wrote into the output folder. */
export interface StemFile {
  readonly stemType: StemType;
  readonly fileName: string;
  readonly durationMs: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Largest absolute sample value; 1 is full scale. */
  readonly peak: number;
}

/** All stems of a separation, and the backend that made them. */
export interface SeparationOutcome {
  readonly stems: readonly StemFile[];
  readonly backend: string;
  /** Name of the network that made them; null for methods without one. */
  readonly network: string | null;
  /** Additional results of the cloud engine. */
  readonly cloud?: { readonly residualDb: number | null; readonly warnings: readonly string[] };
}

/** Progress of an engine. */
export interface SeparationProgress {
  readonly percent: number;
  readonly stage: string;
  readonly etaSeconds: number | null;
}

/** Error of an engine that cannot separate this audio; a retry would not help. The message is for the user. */
export class SeparationRefused extends Error {
  override readonly name = 'SeparationRefused';
}

/** Error of an engine that crashed or stalled. Its cause need not be the audio, so another attempt may work. */
export class SeparationCrashed extends Error {
  override readonly name = 'SeparationCrashed';
  readonly isRetryable = true;
}

/**
 * Engine that separates audio into stems. Throws {@link SeparationRefused} or {@link SeparationCrashed}. When the
 * signal aborts, it ends at once and leaves no process.
 */
export interface SeparationEngine {
  separate(
    request: SeparationRequest,
    run: { readonly signal: AbortSignal; readonly report: (progress: SeparationProgress) => void },
  ): Promise<SeparationOutcome>;
}
