import type { DeckWindows, Whereabouts } from '../window-locks.ts';

/** Windows of one browser, opened and closed by a test. */
export class PretendWindows implements DeckWindows {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #sounded: string | null = null;

  /** Opens a window. */
  open(name: string): void {
    this.#open.add(name);
  }

  /** Closes a window and notifies those that wait for it. */
  close(name: string): void {
    this.#open.delete(name);
    for (const notify of this.#waiting.get(name) ?? []) notify();
    this.#waiting.delete(name);
  }

  /** Makes a window one of another browser. */
  moveElsewhere(name: string): void {
    this.#open.delete(name);
    if (this.#sounded === name) this.#sounded = null;
  }

  async find(name: string): Promise<Whereabouts> {
    if (this.#open.has(name)) return 'open';
    return this.#sounded === name ? 'gone' : 'elsewhere';
  }

  untilGone(name: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]);
    });
  }

  noteSounding(name: string): void {
    this.#sounded = name;
  }
}
