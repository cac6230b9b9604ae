import { createStore } from 'zustand/vanilla';

/** A short word to the person at the page. */
export interface Toast {
  title: string;
  description: string;
  /** An error stays longer and is told at once. */
  isError: boolean;
  timeoutMs: number;
  /** What can be done about it; the word goes away when it is done. */
  action: { words: string; does: () => void } | null;
}

/** An error stays until it can have been read. */
const ERROR_MS = 12_000;

/** Words that nobody has drawn yet: what draws them is loaded only when there is something to say. */
export const pendingToasts = createStore<readonly Toast[]>(() => []);

/** Says a short word that goes away by itself. */
export function toast(words: Toast): void {
  pendingToasts.setState([...pendingToasts.getState(), words], true);
}

/** Says that something went wrong. */
export function toastError(title: string, description: string): void {
  toast({ title, description, isError: true, timeoutMs: ERROR_MS, action: null });
}

/** Hands over the waiting words, oldest first, once. */
export function takeToasts(): readonly Toast[] {
  const waiting = pendingToasts.getState();
  if (waiting.length > 0) pendingToasts.setState([], true);
  return waiting;
}
