import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** What went wrong, without the runner's own frames. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : inspect(cause);
  const frames = (cause.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !line.includes('node:internal'));
  return [cause.message, ...frames].join('\n');
}

/** A test reporter for people: a line a file, and every failure in full. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:fail') {
      // A test that failed because one inside it did says nothing new.
      const { failureType } = data.details.error as Error & { failureType?: string };
      if (failureType === 'subtestsFailed') continue;
      const where = `${path.relative('', data.file ?? '')}:${data.line ?? 1}`;
      yield `✖ ${data.name}  (${where})\n${reasonOf(data.details.error).replace(/^/gm, '    ')}\n`;
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      yield data.message;
    } else if (type === 'test:summary' && data.file !== undefined) {
      const { passed, tests } = data.counts;
      const mark = data.success ? '✔' : '✖';
      yield `${mark} ${path.relative('', data.file)}  ${passed}/${tests} (${(data.duration_ms / 1000).toFixed(1)} s)\n`;
    }
  }
}
