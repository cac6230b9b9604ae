import type { TestEvent } from 'node:test/reporters';

/** A test reporter for the runner: the counts of the whole run as one line of JSON. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:summary' && data.file === undefined) yield `${JSON.stringify(data.counts)}\n`;
  }
}
