/**
 * Work that is done one after the other for each key, in the order in which it was asked for. Whatever would wait in the
 * database for the same row waits here instead: there it would hold a connection meanwhile.
 */
export class KeyedTurns {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Does `work` once everything that was asked for `key` before is done, and answers or throws what it does. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // Whose turn is next is not concerned with what became of this one.
    const tail: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return turn;
  }

  /** Keys for which anything is being done. */
  get size(): number {
    return this.#tails.size;
  }
}
