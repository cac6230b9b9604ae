/** What a process may use for one input. */
export interface ProcessLimits {
  /** What the input is to the reader of an error: `the file`, `the recording`. */
  readonly subject: string;
  /** Resident memory of the process, and its JavaScript heap, in MB of 2^20 bytes. */
  readonly memoryMb: number;
  /** Time without progress, in ms. */
  readonly stallMs: number;
  /** Time altogether, in ms. */
  readonly totalMs: number;
  /** Size of the result, in bytes. */
  readonly outputBytes: number;
}

/** Which limit was passed; `crash`: the process ended without one. */
export type PassedLimit = 'memory' | 'stall' | 'time' | 'output' | 'crash';

/** Written to the standard error by the watch of a process before it ends it. */
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
 * A process passed one of its limits, or ended without an answer. The message is written for users. A crash may be the
 * machine's fault, so the same may work next time; a limit is passed again by the same input.
 */
export class ProcessLimitError extends Error {
  readonly passed: PassedLimit;
  readonly isRetryable: boolean;
  /** The last 4 kB of its standard error, for the log. */
  readonly stderrTail: string;

  constructor(passed: PassedLimit, limits: ProcessLimits, end = '', stderrTail = '') {
    super(messageFor(passed, limits, end));
    this.name = 'ProcessLimitError';
    this.passed = passed;
    this.isRetryable = passed === 'crash';
    this.stderrTail = stderrTail;
  }
}
