/** Maximum number of stored cover addresses. */
const maxAddresses = 20_000;

/** Addresses of covers by track id; the oldest are dropped first. */
export class CoverAddresses {
  readonly #urls = new Map<string, string>();

  /** Returns the address of a track's cover; undefined where it is unknown. */
  find(id: string): string | undefined {
    return this.#urls.get(id);
  }

  /** Stores the address of a track's cover; null is ignored. */
  remember(id: string, url: string | null): void {
    if (url === null) return;
    this.#urls.delete(id);
    this.#urls.set(id, url);
    const oldest = this.#urls.keys().next().value;
    if (this.#urls.size > maxAddresses && oldest !== undefined) this.#urls.delete(oldest);
  }
}
