/**
 * Mutex per key that runs work in order of request. Work that would wait for the same database row waits here instead,
 * without holding a connection.
 */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work of `key`, and returns its result or rethrows its error. */
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // An error of this work must not affect the next.
    const tail: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }

  /** Number of keys with work in progress. */
  get size(): number {
    return this.#tails.size;
  }
}
