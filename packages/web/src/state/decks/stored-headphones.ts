import type { HeadphoneDevice } from '@stem-studio/audio/booth/headphone-output';

const storageKey = 'stem-studio.headphones';

/** Where the choice of headphones outlives the page: it is of this browser and its devices, of no account. */
export interface StoredHeadphones {
  read(): HeadphoneDevice | null;
  write(device: HeadphoneDevice | null): void;
}

/** What `text` keeps; null where that is nothing, or somebody else's. */
export function parseStoredHeadphones(text: string | null): HeadphoneDevice | null {
  let kept: unknown = null;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('label' in kept)) return null;
  if (typeof kept.id !== 'string' || typeof kept.label !== 'string' || kept.id === '') return null;
  return { id: kept.id, label: kept.label };
}

/** The browser's own store. */
export const browserHeadphones: StoredHeadphones = {
  read() {
    try {
      return parseStoredHeadphones(localStorage.getItem(storageKey));
    } catch {
      // A browser that keeps nothing for this page.
      return null;
    }
  },
  write(device) {
    try {
      if (device) localStorage.setItem(storageKey, JSON.stringify(device));
      else localStorage.removeItem(storageKey);
    } catch {
      // Without a place to keep it, it is known until the page is left.
    }
  },
};
