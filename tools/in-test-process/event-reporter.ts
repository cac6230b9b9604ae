import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
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

function toLine({ type, data }: TestEvent): TestEventLine | null {
  switch (type) {
    case 'test:enqueue':
      return { type: 'enqueue', name: data.name, nesting: data.nesting };
    case 'test:complete':
      return { type: 'complete', name: data.name, nesting: data.nesting };
    case 'test:fail':
      if (failureTypeOf(data.details.error) === 'subtestsFailed') return null;
      return {
        type: 'fail',
        name: data.name,
        where: `${path.relative('', data.file ?? '')}:${data.line ?? 1}`,
        reason: reasonOf(data.details.error),
      };
    case 'test:summary': {
      const { tests, passed, cancelled, skipped, todo } = data.counts;
      const failed = tests - passed - cancelled - skipped - todo;
      const { userCPUTime, systemCPUTime } = process.resourceUsage();
      const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
      return { type: 'summary', counts: { passed, failed, cancelled, skipped, todo }, cpuSeconds };
    }
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
