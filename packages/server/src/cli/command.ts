/** Invalid command line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Expected failure, described in one sentence; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Option of a command, as `parseArgs` of `node:util` accepts it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly default?: string;
  /** Placeholder of the value in the help, such as `DIR`. */
  readonly value?: string;
  readonly help: string;
}

/** Arguments and options of a command line. */
export interface Given {
  readonly operands: readonly string[];
  text(name: string): string | null;
  has(name: string): boolean;
}

/** Input and output of a command. */
export interface Terminal {
  /** Writes a line of the result to standard output. Returns false when the reader has closed it. */
  print(line: string): boolean;
  /** Writes a status line to standard error. */
  log(line: string): void;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/** One command of `studio`. */
export interface Command {
  /** Name, such as `user add`. */
  readonly name: string;
  /** Required arguments, such as `EMAIL`. A last one such as `FILE…` takes one or more, `[FILE…]` any number. */
  readonly operands: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
  /** Runs the command and returns its exit code. */
  run(given: Given, terminal: Terminal): Promise<number>;
}
