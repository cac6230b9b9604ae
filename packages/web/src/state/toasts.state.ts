import { createStore } from 'zustand/vanilla';

/** A short message that disappears by itself. */
export interface Toast {
  title: string;
  description: string;
  /** Errors are announced to screen readers at once. */
  isError: boolean;
  timeoutMs: number;
  /** Button of the message; the message disappears when it is pressed. */
  action: { label: string; perform: () => void } | null;
}

/** How long an error stays, in milliseconds. */
const ERROR_MS = 12_000;

/** Messages not shown yet, because the component that shows them is loaded with the first one. */
export const pendingToasts = createStore<readonly Toast[]>(() => []);

/** Shows a message. */
export function toast(message: Toast): void {
  pendingToasts.setState([...pendingToasts.getState(), message], true);
}

/** Shows an error message for twelve seconds. */
export function toastError(title: string, description: string): void {
  toast({ title, description, isError: true, timeoutMs: ERROR_MS, action: null });
}

/** Returns the pending messages, oldest first, and clears them. */
export function takeToasts(): readonly Toast[] {
  const pending = pendingToasts.getState();
  if (pending.length > 0) pendingToasts.setState([], true);
  return pending;
}
