import type { DeckWindows, Whereabouts } from '../window-locks.ts';

/** The windows of one browser, that open and close as a test says. */
export class PretendWindows implements DeckWindows {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #sounded: string | null = null;

  /** A window opens. */
  open(name: string): void {
    this.#open.add(name);
  }

  /** A window is gone; who waited for it hears so. */
  close(name: string): void {
    this.#open.delete(name);
    for (const heard of this.#waiting.get(name) ?? []) heard();
    this.#waiting.delete(name);
  }

  /** A window turns out to be one of another browser. */
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
