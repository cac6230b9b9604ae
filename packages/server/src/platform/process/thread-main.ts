import { parentPort, workerData } from 'node:worker_threads';
import { isRetryable, messageOf } from '../errors.ts';
import type { ThreadMessage } from './thread.ts';

/**
 * Implements a thread module: calls `work` with the input and a progress callback, and replies with the result or
 * error. Must be called once, at the top level of the module that `runInThread` names.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it is handed
export async function serveThread<Input, Result>(
  work: (input: Input, report: (progress: unknown) => void) => Result | Promise<Result>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('serveThread must be called in a worker thread');
  const post = (message: ThreadMessage) => port.postMessage(message);
  try {
    const result = await work(workerData as Input, (progress) => post({ kind: 'progress', progress }));
    post({ kind: 'result', result });
  } catch (error) {
    post(errorMessage(error));
  }
}

/** Returns the message that reports an error from a thread or process. */
export function errorMessage(error: unknown): Extract<ThreadMessage, { kind: 'error' }> {
  return {
    kind: 'error',
    message: messageOf(error),
    isRetryable: isRetryable(error),
    systemCode: systemCodeOf(error),
  };
}

/** Returns the code of an operating system error, such as `ENOSPC`, or null for any other error, whatever its code. */
function systemCodeOf(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string' ? code : null;
}
