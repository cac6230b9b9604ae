import { Worker } from 'node:worker_threads';

/** What `runInThread` needs. */
export interface ThreadOptions {
  /** Module whose code runs in the thread: it calls `serveThread` of `thread-main.ts`. */
  readonly module: URL;
  /** Handed to the thread by structured clone. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
}

/** What a thread writes. */
export type ThreadMessage =
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly isRetryable: boolean;
      readonly systemCode: string | null;
    };

/** An error that a thread told: its message, as it was thrown there. */
export class ThreadError extends Error {
  readonly isRetryable: boolean;
  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ThreadError';
    this.isRetryable = retryable;
  }
}

/** What the operating system refused to a thread, with its code such as `ENOSPC`: as `node:fs` would have thrown it. */
function systemError(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

/** The error that a thread or process reported, as it is thrown here. */
export function reportedError(message: Extract<ThreadMessage, { kind: 'error' }>): Error {
  return message.systemCode === null
    ? new ThreadError(message.message, message.isRetryable)
    : systemError(message.message, message.systemCode);
}

/**
 * Runs a module in a thread of its own, so that its arithmetic does not hold up the service. Rejects with the thread's
 * own message when it throws, with the system's code where the system refused something, and with the signal's reason
 * when that aborts; the thread is gone in every case.
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
