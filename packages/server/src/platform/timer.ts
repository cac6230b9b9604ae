import type { Context } from './context.ts';

/**
 * Runs `work` immediately and every `seconds`, never concurrently. An error is logged and does not stop the timer.
 * Returns a function that stops the timer and waits for the current run.
 */
export function every(
  context: Context,
  seconds: number,
  name: string,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work()
      .then(
        () => undefined,
        (error: unknown) => context.log.error({ err: error, work: name }, 'periodic work failed'),
      )
      .finally(() => {
        running = null;
      });
  };
  run();
  const timer = setInterval(run, seconds * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
