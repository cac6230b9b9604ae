import { z } from 'zod';

const count = z.number().int().nonnegative();

/** One line of `tools/in-test-process/event-reporter.ts`. */
const testEventLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('enqueue'), name: z.string(), nesting: count }),
  z.object({ type: z.literal('complete'), name: z.string(), nesting: count }),
  z.object({ type: z.literal('fail'), name: z.string(), where: z.string(), reason: z.string() }),
  z.object({
    type: z.literal('summary'),
    counts: z.object({ passed: count, failed: count, cancelled: count, skipped: count, todo: count }),
    cpuSeconds: z.number().nonnegative(),
  }),
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

/** State of a test file, derived from its events so far. */
export interface TestFileState {
  /** Null until all tests have ended and the process is about to end. */
  readonly counts: Extract<TestEventLine, { type: 'summary' }>['counts'] | null;
  readonly failures: readonly TestFailure[];
  /** Names of top-level tests that have not ended. */
  readonly unfinished: readonly string[];
  readonly ended: number;
  /** Processor time of the test's process, without its children. */
  readonly cpuSeconds: number;
}

/**
 * Parses the events of one test file.
 *
 * @param text lines of JSON; an incomplete last line is ignored
 * @throws ZodError if a line is not an event
 */
export function readTestEvents(text: string): TestFileState {
  const lines = text.split('\n').slice(0, -1);
  const unfinished = new Map<string, number>();
  const failures: TestFailure[] = [];
  let counts: TestFileState['counts'] = null;
  let [ended, cpuSeconds] = [0, 0];
  for (const line of lines) {
    const event = testEventLine.parse(JSON.parse(line));
    if (event.type === 'fail') failures.push(event);
    else if (event.type === 'summary') ({ counts, cpuSeconds } = event);
    else if (event.nesting === 0) {
      const isStart = event.type === 'enqueue';
      unfinished.set(event.name, (unfinished.get(event.name) ?? 0) + (isStart ? 1 : -1));
      if (!isStart) ended += 1;
    }
  }
  return {
    counts,
    failures,
    unfinished: [...unfinished].filter(([, open]) => open > 0).map(([name]) => name),
    ended,
    cpuSeconds,
  };
}
