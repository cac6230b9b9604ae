import { parentPort, workerData } from 'node:worker_threads';
import { isRetryable, messageOf } from '../errors.ts';
import type { ThreadMessage } from './thread.ts';

/**
 * The body of a thread module: hands `work` its input and a way to tell progress, and answers with what it returns or
 * throws. To be called once, at the top of the module that `runInThread` names.
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

/** The message with which a thread or process reports what was thrown in it. */
export function errorMessage(error: unknown): Extract<ThreadMessage, { kind: 'error' }> {
  return {
    kind: 'error',
    message: messageOf(error),
    isRetryable: isRetryable(error),
    systemCode: systemCodeOf(error),
  };
}

/** The code of an error of the operating system, such as `ENOSPC`; null of any other error, whatever codes it has. */
function systemCodeOf(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string' ? code : null;
}
