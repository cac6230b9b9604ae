import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { ownProcessSeconds } from '../runner/process-times.ts';
import type { TestEventLine } from '../runner/test-events.ts';

/** Returns the message and the stack of an error, without the frames of the test runner itself. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : inspect(cause);
  const frames = (cause.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !line.includes('node:internal'));
  return [cause.message, ...frames].join('\n');
}

/** Returns the failure type of an error, such as `subtestsFailed`, or undefined. */
function failureTypeOf(error: unknown): string | undefined {
  return (error as { failureType?: string } | undefined)?.failureType;
}

const pathOf = (file: string | undefined) => path.relative('', file ?? '');

function toLine({ type, data }: TestEvent): TestEventLine | null {
  switch (type) {
    case 'test:enqueue':
      return { type: 'enqueue', name: data.name, nesting: data.nesting };
    case 'test:complete': {
      const { name, nesting, details, skip, todo } = data;
      // A suite is counted by its tests.
      const isCounted = details.type !== 'suite';
      const isRun = (skip ?? false) === false && (todo ?? false) === false;
      const outcome = isRun ? (details.passed ? 'passed' : 'failed') : 'skipped';
      const times = { atSeconds: process.uptime(), cpuSeconds: ownProcessSeconds() };
      return { type: 'complete', name, nesting, outcome: isCounted ? outcome : null, ...times };
    }
    case 'test:fail':
      if (failureTypeOf(data.details.error) === 'subtestsFailed') return null;
      return {
        type: 'fail',
        name: data.name,
        nesting: data.nesting,
        where: `${pathOf(data.file)}:${data.line ?? 1}`,
        reason: reasonOf(data.details.error),
      };
    case 'test:summary':
      return { type: 'summary', tests: data.counts.tests, cpuSeconds: ownProcessSeconds() };
    default:
      return null;
  }
}

/** A test reporter that writes each event that the runner needs as one line of JSON. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const line = toLine(event);
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}
