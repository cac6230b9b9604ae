import type { Context } from './context.ts';

/**
 * Runs `work` now and then every `seconds`, one run at a time; a run that throws is logged and the next one comes all
 * the same. The answer ends it and waits for the run under way.
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
