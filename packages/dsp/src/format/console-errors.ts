/** The part of the console that is replaced here; every platform has it. */
interface ErrorConsole {
  error: (...values: readonly unknown[]) => void;
}

/** Console lines to be suppressed. */
export interface SuppressedLines {
  /** Prefix of these lines. */
  prefix: string;
  /**
   * Number of such lines after which an exception ends `work`, for a library that would print endlessly; no limit by
   * default.
   */
  most?: number;
}

/**
 * Runs `work` without the lines that it writes to `console.error` and that begin with `prefix`.
 *
 * It is meant for libraries that print the errors that they also return. All other lines are printed. The console is
 * restored when `work` returns or throws, so nothing else can run meanwhile; asynchronous work is covered until its
 * first `await`.
 *
 * @throws Error if `work` writes more than `most` such lines
 */
export function withoutConsoleErrors<Result>(
  { prefix, most = Number.POSITIVE_INFINITY }: SuppressedLines,
  work: () => Result,
): Result {
  const { console: target } = globalThis as unknown as { console: ErrorConsole };
  const print = target.error;
  let lines = 0;
  target.error = (...values) => {
    if (typeof values[0] !== 'string' || !values[0].startsWith(prefix)) print(...values);
    else if (++lines > most)
      throw new Error(`at most ${most} errors may be reported in one call: ${values[0]}`);
  };
  try {
    return work();
  } finally {
    target.error = print;
  }
}
