/** Limits of a process for one input. */
export interface ProcessLimits {
  /** Description of the input in error messages: `the file`, `the recording`. */
  readonly subject: string;
  /** Maximum resident memory of the process, and of its JavaScript heap, in MB of 2^20 bytes. */
  readonly memoryMb: number;
  /** Maximum time without progress, in ms. */
  readonly stallMs: number;
  /** Maximum total time, in ms. */
  readonly totalMs: number;
  /** Maximum size of the result, in bytes. */
  readonly outputBytes: number;
}

/** Limit that was exceeded. `crash`: the process ended for another reason. */
export type PassedLimit = 'memory' | 'stall' | 'time' | 'output' | 'crash';

/** Marker that the monitor of a process writes to standard error before it kills the process. */
export const memoryLimitMark = 'stem-studio: memory limit passed';

function messageFor(passed: PassedLimit, limits: ProcessLimits, end: string): string {
  const { subject } = limits;
  switch (passed) {
    case 'memory':
      return `${subject} needs more than ${limits.memoryMb} MB of memory to be read`;
    case 'stall':
      return `reading ${subject} made no progress for ${limits.stallMs / 1000} s`;
    case 'time':
      return `reading ${subject} took longer than ${limits.totalMs / 1000} s`;
    case 'output':
      return `reading ${subject} gave more than ${Math.round(limits.outputBytes / 1e6)} MB of results`;
    case 'crash':
      return `the process that read ${subject} ended unexpectedly (${end})`;
  }
}

/**
 * Thrown if a process exceeded a limit, or ended without a result. The message is written for users. A crash may be
 * caused by the machine and can be retried; a limit would be exceeded again by the same input.
 */
export class ProcessLimitError extends Error {
  readonly passed: PassedLimit;
  readonly isRetryable: boolean;
  /** Last 4 kB of its standard error, for the log. */
  readonly stderrTail: string;

  constructor(passed: PassedLimit, limits: ProcessLimits, end = '', stderrTail = '') {
    super(messageFor(passed, limits, end));
    this.name = 'ProcessLimitError';
    this.passed = passed;
    this.isRetryable = passed === 'crash';
    this.stderrTail = stderrTail;
  }
}
