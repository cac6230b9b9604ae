/** A value that a client can write and read back. */
export type PromisedValue = string | number | boolean | null;

/** Outcome of a write for its client. */
export type WriteOutcome =
  /** A success reply: the value must be found from now on. */
  | 'acknowledged'
  /** A rejection: nothing was written. */
  | 'refused'
  /** No reply, or a server error: the value may or may not be found. */
  | 'unknown';

/** Values that a client may find afterwards, for each key that it writes. A client writes a key once at a time. */
export class PromisedValues {
  readonly #allowed = new Map<string, Set<PromisedValue>>();
  readonly counts: Record<WriteOutcome, number> = { acknowledged: 0, refused: 0, unknown: 0 };

  /**
   * Writes a value with `send` and records the values that may be found from now on.
   *
   * @param before value of a key that was never written
   */
  async write(
    key: string,
    value: PromisedValue,
    before: PromisedValue,
    send: () => Promise<WriteOutcome>,
  ): Promise<WriteOutcome> {
    const known = this.#allowed.get(key) ?? new Set([before]);
    this.#allowed.set(key, new Set([...known, value]));
    const outcome = await send();
    this.counts[outcome] += 1;
    if (outcome === 'acknowledged') this.#allowed.set(key, new Set([value]));
    else if (outcome === 'refused') this.#allowed.set(key, known);
    return outcome;
  }

  /** Checks whether a key must have this value. */
  isCertain(key: string, value: PromisedValue): boolean {
    const allowed = this.#allowed.get(key);
    return allowed?.size === 1 && allowed.has(value);
  }

  /** Returns the keys with a prefix. */
  keysOf(prefix: string): string[] {
    return [...this.#allowed.keys()].filter((key) => key.startsWith(prefix));
  }

  /**
   * Records that a key was found with a value, which is required from now on. Returns the violation, or null if the
   * value was allowed.
   */
  observe(key: string, found: PromisedValue): string | null {
    const allowed = this.#allowed.get(key);
    if (!allowed) return `${key} was never written and is ${String(found)}`;
    this.#allowed.set(key, new Set([found]));
    if (allowed.has(found)) return null;
    return `${key} is ${String(found)} and must be ${[...allowed].map(String).join(' or ')}`;
  }

  /** Removes keys that have no promised values any more. */
  forget(prefix: string): void {
    for (const key of this.keysOf(prefix)) this.#allowed.delete(key);
  }
}
