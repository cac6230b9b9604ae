import type { Scope } from '@stem-studio/audio/base/scope';

const prefix = 'stem-studio-decks ';
/** Storage key of the name of the window that played audio last. */
const soundedKey = 'stem-studio-sounded';

/** Web Locks, visible to all pages of the same browser; available only over https or on localhost. */
type Locks = Pick<LockManager, 'request' | 'query'>;

/**
 * Location of a window: open in this browser, definitely closed in this browser, or not known to it; null if the
 * browser does not provide this information.
 */
export type Whereabouts = 'open' | 'gone' | 'elsewhere' | null;

/** Access to the other windows of the same browser. */
export interface DeckWindows {
  /** Returns the location of a window by name. */
  find(name: string): Promise<Whereabouts>;
  /** Resolves when a window open in this browser has closed; rejects when `signal` aborts before. */
  untilGone(name: string, signal: AbortSignal): Promise<void>;
  /** Stores that a window of this browser has taken over the audio. */
  noteSounding(name: string): void;
}

/**
 * Holds a lock with this window's name until the scope ends, or the window closes, so that other windows can detect
 * it.
 */
export function holdWindowName(name: string, scope: Scope, locks: Locks | undefined = navigator.locks): void {
  const held = () => new Promise<void>((resolve) => scope.own(resolve));
  // Without permission to hold locks, other windows cannot detect this one.
  locks?.request(prefix + name, held).catch(() => undefined);
}

/**
 * Returns access to the windows of this browser, by their locks and the stored name of the last one that played
 * audio.
 */
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
        // Storage is full or blocked: a window that closes without notice is then detected later.
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
