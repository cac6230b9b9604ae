import type { Scope } from '@stem-studio/audio/base/scope';

const prefix = 'stem-studio-decks ';

/** Where pages of one browser see each other's locks; only where they are served over https or by this machine. */
type Locks = Pick<LockManager, 'request' | 'query'>;

/** Holds a lock of this window's name until the scope ends, at the latest with the window, so that others can tell. */
export function holdWindowName(name: string, scope: Scope, locks: Locks | undefined = navigator.locks): void {
  const held = () => new Promise<void>((resolve) => scope.own(resolve));
  // Where the page may not hold locks nobody can tell.
  locks?.request(prefix + name, held).catch(() => undefined);
}

/** Whether a window of this name is open in this browser; null where that cannot be told. */
export async function isWindowOpen(
  name: string,
  locks: Locks | undefined = navigator.locks,
): Promise<boolean | null> {
  const known = await locks?.query().catch(() => null);
  return known ? (known.held ?? []).some((lock) => lock.name === prefix + name) : null;
}
