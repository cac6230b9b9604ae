import type { HeadphoneDevice } from '@stem-studio/audio/dj-engine/headphone-output';

const storageKey = 'stem-studio.headphones';

/** Storage of the selected headphone output: it belongs to the browser and its devices, not to the account. */
export interface StoredHeadphones {
  read(): HeadphoneDevice | null;
  write(device: HeadphoneDevice | null): void;
}

/** Parses a stored headphone output; null if there is none, or the text has another format. */
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

/** Storage in the browser. */
export const browserHeadphones: StoredHeadphones = {
  read() {
    try {
      return parseStoredHeadphones(localStorage.getItem(storageKey));
    } catch {
      // Storage is disabled for this page.
      return null;
    }
  },
  write(device) {
    try {
      if (device) localStorage.setItem(storageKey, JSON.stringify(device));
      else localStorage.removeItem(storageKey);
    } catch {
      // Without storage the selection lasts until the page is left.
    }
  },
};
