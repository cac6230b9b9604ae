/** A backup or a restore that cannot be done or cannot be trusted, explained in a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** How a long operation reports its progress and learns that it is no longer wanted. */
export interface BackupWork {
  /** Aborts when the operator cancels. */
  readonly signal: AbortSignal;
  /** Receives a fraction from 0 to 1, the stage, and the estimated seconds left where they are known. */
  readonly onProgress: (fraction: number, stage: string, etaSeconds?: number) => void;
}
