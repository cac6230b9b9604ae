/** Thrown if a backup or a restore is impossible or cannot be trusted. The message is written for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Cancellation and progress of a long operation. */
export interface BackupWork {
  /** Aborts when the operator cancels. */
  readonly signal: AbortSignal;
  /** Called with the fraction done (0 to 1), the stage, and the estimated remaining seconds if known. */
  readonly onProgress: (fraction: number, stage: string, etaSeconds?: number) => void;
}
