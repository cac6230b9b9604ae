import type { Scope } from '@stem-studio/audio/base/scope';

const failedLoads = new WeakSet<Error>();

/** What browsers say of a module that did not come; Vite's own sentence is about styles. */
const wordsOfFailedLoads =
  /dynamically imported module|importing a module script failed|unable to preload css|error loading module/i;

/** Remembers, for as long as `scope` lives, which errors are parts of the page that did not come. */
export function watchLoads(scope: Scope): void {
  scope.listen(globalThis, 'vite:preloadError', (event) => {
    const error = 'payload' in event ? event.payload : null;
    if (error instanceof Error) failedLoads.add(error);
  });
}

/**
 * Whether an error is a part of the page that did not come: after an update its file has another name. Reloading the
 * page brings the new one.
 */
export function isFailedLoad(error: unknown): boolean {
  return error instanceof Error && (failedLoads.has(error) || wordsOfFailedLoads.test(error.message));
}
