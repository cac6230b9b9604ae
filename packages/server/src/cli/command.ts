/** A mistake in how the command was called: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that was to be expected went wrong, told in a sentence: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** An option of a command, as `node:util`'s `parseArgs` takes it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly default?: string;
  /** Stands for the value in the help, such as `DIR`. */
  readonly value?: string;
  readonly help: string;
}

/** What a command was given, its options by name. */
export interface Given {
  readonly words: readonly string[];
  text(name: string): string | null;
  has(name: string): boolean;
}

/** Where a command reads and writes. */
export interface Terminal {
  /** A line of what was asked for, to the standard output. False when nobody reads there any more. */
  print(line: string): boolean;
  /** A line about how it goes, to the standard error. */
  tell(line: string): void;
  /** Aborts when the person at the terminal wants no more. */
  readonly signal: AbortSignal;
}

/** One command of `studio`. */
export interface Command {
  /** Such as `user add`. */
  readonly name: string;
  /** The words that must follow, such as `EMAIL`; of a last one such as `FILE…` one or more, of `[FILE…]` any number. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
  /** Does it; answers the exit code. */
  run(given: Given, terminal: Terminal): Promise<number>;
}
