import type { ProcessLimits } from './process-limits.ts';

/**
 * The limits of a process that decodes a whole recording. Decoding streams in a few hundred MB; what an analysis keeps
 * grows with the length. A second of audio that takes longer than a second is not waited for.
 *
 * @param subject what is read, as {@link ProcessLimits.subject}
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

/** The same limits for a module that reports no progress: only its whole time is limited. */
export function withoutProgress(limits: ProcessLimits): ProcessLimits {
  return { ...limits, stallMs: limits.totalMs };
}
