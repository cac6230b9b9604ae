import { argv } from 'node:process';
import { deserialize, serialize } from 'node:v8';
import { systemClock } from '../clock.ts';
import type { ProcessMessage, ProcessStart } from './limited-process.ts';
import { errorMessage } from './thread-main.ts';

/**
 * Minimum interval between progress reports after the first hundred, in ms. The last one before the result is always
 * sent.
 */
const progressEveryMs = 20;
const reportedAlways = 100;

const start = readStart();

/**
 * Returns the start parameters of this process, or null if it is not a limited process. This is the case in a test of a
 * module.
 */
function readStart(): ProcessStart | null {
  try {
    return typeof process.send === 'function' ? (JSON.parse(argv[2] ?? 'null') as ProcessStart) : null;
  } catch {
    return null;
  }
}

/**
 * Serves the inputs that `runInProcess` sends to this process, one after another. Calls `work` with each input and a
 * progress callback, and replies with the result or error. Must be called once, at the top level of a module.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it is handed
export function serveProcess<Input, Result>(
  work: (input: Input, report: (progress: unknown) => void) => Result | Promise<Result>,
): void {
  if (!start) throw new Error('serveProcess must be called in a process that runInProcess has started');
  const { outputBytes } = start;
  const post = (message: ProcessMessage) => process.send?.(message, undefined, {}, () => undefined);
  process.on('message', ({ data }: { data: Uint8Array }) => {
    let reportedAt = Number.NEGATIVE_INFINITY;
    let pending: { readonly progress: unknown } | null = null;
    const flush = () => {
      if (pending) post({ kind: 'progress', ...pending });
      pending = null;
    };
    let count = 0;
    const report = (progress: unknown) => {
      pending = { progress };
      const now = systemClock.monotonicMs();
      if (++count > reportedAlways && now - reportedAt < progressEveryMs) return;
      reportedAt = now;
      flush();
    };
    void (async () => {
      try {
        const result = serialize(await work(deserialize(data) as Input, report));
        flush();
        if (result.length > outputBytes) return post({ kind: 'too_large' });
        return post({ kind: 'result', data: result, rssBytes: process.memoryUsage.rss() });
      } catch (error) {
        return post({ ...errorMessage(error), rssBytes: process.memoryUsage.rss() });
      }
    })();
  });
}
