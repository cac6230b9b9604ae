import { Worker } from 'node:worker_threads';

/** Options of `runInThread`. */
export interface ThreadOptions {
  /** Module that runs in the thread. It must call `serveThread` of `thread-main.ts`. */
  readonly module: URL;
  /** Input, passed to the thread by structured clone. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
}

/** Message from a thread. */
export type ThreadMessage =
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly isRetryable: boolean;
      readonly systemCode: string | null;
    };

/** Error that was thrown in a thread, with its original message. */
export class ThreadError extends Error {
  readonly isRetryable: boolean;
  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ThreadError';
    this.isRetryable = retryable;
  }
}

/**
 * Returns an operating system error from a thread, with its code such as `ENOSPC`, in the form that `node:fs` throws.
 */
function systemError(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

/** Converts a reported error of a thread or process to an error to throw. */
export function reportedError(message: Extract<ThreadMessage, { kind: 'error' }>): Error {
  return message.systemCode === null
    ? new ThreadError(message.message, message.isRetryable)
    : systemError(message.message, message.systemCode);
}

/**
 * Runs a module in a separate thread, so that its computation does not block the service. Rejects with the thread's
 * error, with the system's code for operating system errors, and with the signal's reason when that aborts. The thread
 * has ended in every case.
 */
export async function runInThread<Result>(options: ThreadOptions): Promise<Result> {
  options.signal.throwIfAborted();
  const thread = new Worker(options.module, { workerData: options.input });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(options.signal.reason);
  options.signal.addEventListener('abort', onAbort, { once: true });
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'progress') options.onProgress?.(message.progress);
    else if (message.kind === 'result') resolve(message.result as Result);
    else reject(reportedError(message));
  });
  thread.on('error', reject);
  thread.on('exit', (code) => reject(new Error(`the thread ended with code ${code} and without a result`)));
  try {
    return await promise;
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    await thread.terminate();
  }
}
