import type { ProcessLimits } from './process-limits.ts';

/**
 * Returns the limits of a process that decodes a whole recording. Decoding streams in a few hundred MB; the results of
 * an analysis grow with the length. Work that takes longer than real time is ended.
 *
 * @param subject description of the input, as {@link ProcessLimits.subject}
 */
export function decodingLimits(subject: string, maxDurationSeconds: number): ProcessLimits {
  return {
    subject,
    memoryMb: 2048,
    stallMs: 300_000,
    totalMs: Math.max(600_000, maxDurationSeconds * 1000),
    outputBytes: 64_000_000,
  };
}

/** Returns the same limits for a module that reports no progress: only the total time is limited. */
export function withoutProgress(limits: ProcessLimits): ProcessLimits {
  return { ...limits, stallMs: limits.totalMs };
}
