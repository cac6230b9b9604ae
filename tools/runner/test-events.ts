import { z } from 'zod';

const count = z.number().int().nonnegative();
const seconds = z.number().nonnegative();
const outcome = z.enum(['passed', 'failed', 'skipped']);

/** One line of `tools/in-test-process/event-reporter.ts`. */
const testEventLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('enqueue'), name: z.string(), nesting: count }),
  z.object({
    type: z.literal('complete'),
    name: z.string(),
    nesting: count,
    // Null for a suite.
    outcome: outcome.nullable(),
    atSeconds: seconds,
    cpuSeconds: seconds,
  }),
  z.object({
    type: z.literal('fail'),
    name: z.string(),
    nesting: count,
    where: z.string(),
    reason: z.string(),
  }),
  z.object({ type: z.literal('summary'), tests: count, cpuSeconds: seconds }),
]);

/** One line of `tools/in-test-process/event-reporter.ts`. */
export type TestEventLine = z.infer<typeof testEventLine>;

/** A test that failed. */
export interface TestFailure {
  readonly name: string;
  /** Path and line. */
  readonly where: string;
  readonly reason: string;
}

/** State of one test file, derived from the events of its process so far. */
export interface TestFileState {
  readonly counts: Readonly<Record<z.infer<typeof outcome>, number>>;
  readonly failures: readonly TestFailure[];
  /** Names of top-level tests that have not ended. */
  readonly unfinished: readonly string[];
  /** Number of top-level tests that have ended. */
  readonly ended: number;
  /** Time from the end of the test before the first one to the end of the last one, in seconds. */
  readonly seconds: number;
  /** Processor time of that span, of the process and the child processes that it has waited for, in seconds. */
  readonly cpuSeconds: number;
}

/** Reads the events of a test process as they are written; each line is parsed once. */
export interface TestEventReader {
  /**
   * Adds the next part of the text. An incomplete last line is kept for the next part.
   *
   * @throws ZodError if a line is not an event
   */
  add(text: string): void;
  /** Returns the state of each file, in the given order. */
  files(): readonly TestFileState[];
  /** Returns the summary, without the tests that mark a beginning, or null until all tests have ended and the process is about to end. */
  summary(): Extract<TestEventLine, { type: 'summary' }> | null;
}

/** Returns the name of a test that marks where the tests of a file begin, in a process that runs several. */
export function beginningOf(file: string): string {
  return `the tests of ${file} begin`;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Starts to read the events of a process that runs the tests of some files, one file after another.
 *
 * @param files paths relative to the working folder of the process
 */
export function createEventReader(files: readonly string[]): TestEventReader {
  const states = files.map(() => ({
    counts: { passed: 0, failed: 0, skipped: 0 },
    failures: [] as TestFailure[],
    open: new Map<string, number>(),
    ended: 0,
    seconds: 0,
    cpuSeconds: 0,
  }));
  type State = Mutable<(typeof states)[number]>;
  // Tests start and end in the order of the files, but the tests of a file may be written in a module that it imports.
  const current = { start: 0, end: 0 };
  const beginnings = new Map(files.map((file, index) => [beginningOf(file), index]));
  let summary: Extract<TestEventLine, { type: 'summary' }> | null = null;
  let rest = '';
  let last = { atSeconds: 0, cpuSeconds: 0 };
  const read = (event: TestEventLine): void => {
    if (event.type === 'summary') {
      summary = event;
      return;
    }
    const kind = event.type === 'enqueue' ? 'start' : 'end';
    const beginning = event.nesting === 0 ? beginnings.get(event.name) : undefined;
    if (beginning !== undefined) current[kind] = beginning;
    const state: State | undefined = states[current[kind]];
    if (!state || beginning !== undefined) return;
    if (event.type === 'fail') state.failures.push(event);
    if (event.type === 'complete' && event.outcome !== null) state.counts[event.outcome] += 1;
    if (event.type === 'fail' || event.nesting > 0) return;
    const isStart = event.type === 'enqueue';
    state.open.set(event.name, (state.open.get(event.name) ?? 0) + (isStart ? 1 : -1));
    if (isStart) return;
    state.ended += 1;
    state.seconds += event.atSeconds - last.atSeconds;
    state.cpuSeconds += event.cpuSeconds - last.cpuSeconds;
    last = event;
  };
  return {
    add(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) read(testEventLine.parse(JSON.parse(line)));
    },
    files: () =>
      states.map(({ open, ...state }) => ({
        ...state,
        unfinished: [...open].filter(([, left]) => left > 0).map(([name]) => name),
      })),
    summary: () => summary && { ...summary, tests: summary.tests - (files.length > 1 ? files.length : 0) },
  };
}
