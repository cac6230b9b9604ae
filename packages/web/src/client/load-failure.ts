import type { Scope } from '@stem-studio/audio/base/scope';

const failedLoads = new WeakSet<Error>();

/** Messages of browsers about a module that failed to load, and of Vite about a style sheet. */
const failedLoadMessage =
  /dynamically imported module|importing a module script failed|unable to preload css|error loading module/i;

/** Remembers which errors are failed loads of page modules, until `scope` ends. */
export function watchLoads(scope: Scope): void {
  scope.listen(globalThis, 'vite:preloadError', (event) => {
    const error = 'payload' in event ? event.payload : null;
    if (error instanceof Error) failedLoads.add(error);
  });
}

/**
 * Whether an error is a failed load of a page module. After an update of the service its file has another name, and
 * reloading the page helps.
 */
export function isFailedLoad(error: unknown): boolean {
  return error instanceof Error && (failedLoads.has(error) || failedLoadMessage.test(error.message));
}
