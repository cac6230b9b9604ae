import type { z } from 'zod';

/** Returns the text that this browser keeps under a key: null if there is none, undefined without storage. */
export function readStored(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is blocked, or there is no browser.
    return undefined;
  }
}

/** Stores text in this browser. Without storage, or when it is full, nothing is stored. */
export function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The value lasts until the page is closed.
  }
}

/** Parses stored JSON by a schema; null for no text and for text of another format or version. */
export function parseStored<Schema extends z.ZodType>(
  text: string | null | undefined,
  schema: Schema,
): z.output<Schema> | null {
  let json: unknown = null;
  try {
    json = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : null;
}
