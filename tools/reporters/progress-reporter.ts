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

/** How many of the slowest files are named at the end. */
const slowestNamed = 10;

/** A test reporter for people: a line a file, every failure in full, and at the end the files that took longest. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { name: string; seconds: number }[] = [];
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
      const name = path.relative('', data.file);
      const seconds = data.duration_ms / 1000;
      files.push({ name, seconds });
      yield `${mark} ${name}  ${passed}/${tests} (${seconds.toFixed(1)} s)\n`;
    }
  }
  if (files.length <= slowestNamed) return;
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestNamed);
  yield `the ${slowestNamed} slowest files:\n`;
  for (const { name, seconds } of slowest) yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`;
}
