import type { Scope } from '@stem-studio/audio/base/scope';

const prefix = 'stem-studio-decks ';
/** Under it a browser keeps the name of its window that sounded last. */
const soundedKey = 'stem-studio-sounded';

/** Where pages of one browser see each other's locks; only where they are served over https or by this machine. */
type Locks = Pick<LockManager, 'request' | 'query'>;

/**
 * Where a window is: open in this browser, gone from it for certain, or not of this browser as far as it can tell; null
 * where the browser tells nothing.
 */
export type Whereabouts = 'open' | 'gone' | 'elsewhere' | null;

/** What the windows of one browser know of each other. */
export interface DeckWindows {
  /** Where the window of this name is. */
  find(name: string): Promise<Whereabouts>;
  /** Resolves when a window that is open in this browser is gone; rejects when `signal` aborts before. */
  untilGone(name: string, signal: AbortSignal): Promise<void>;
  /** Writes down that a window of this browser has taken the sound. */
  noteSounding(name: string): void;
}

/** Holds a lock of this window's name until the scope ends, at the latest with the window, so that others can tell. */
export function holdWindowName(name: string, scope: Scope, locks: Locks | undefined = navigator.locks): void {
  const held = () => new Promise<void>((resolve) => scope.own(resolve));
  // Where the page may not hold locks nobody can tell.
  locks?.request(prefix + name, held).catch(() => undefined);
}

/** The windows of this browser, by the locks that they hold and the one name that is kept. */
export function createDeckWindows(
  locks: Locks | undefined = navigator.locks,
  kept: Pick<Storage, 'getItem' | 'setItem'> | null = keptByBrowser(),
): DeckWindows {
  return {
    async find(name) {
      const known = await locks?.query().catch(() => null);
      if (!known) return null;
      if ((known.held ?? []).some((lock) => lock.name === prefix + name)) return 'open';
      return kept?.getItem(soundedKey) === name ? 'gone' : 'elsewhere';
    },
    async untilGone(name, signal) {
      await locks?.request(prefix + name, { signal, mode: 'shared' }, () => undefined);
    },
    noteSounding(name) {
      try {
        kept?.setItem(soundedKey, name);
      } catch {
        // A full or forbidden storage: a window that goes without a word is then missed a little longer.
      }
    },
  };
}

function keptByBrowser(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
