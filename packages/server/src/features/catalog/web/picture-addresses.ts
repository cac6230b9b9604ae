/** Addresses of covers that are remembered. */
const mostPictures = 20_000;

/** Addresses of covers by track id; the oldest are forgotten first. */
export class PictureAddresses {
  readonly #urls = new Map<string, string>();

  /** The address of a track's cover; undefined where it is not known. */
  find(id: string): string | undefined {
    return this.#urls.get(id);
  }

  /** Remembers the address of a track's cover; null is none. */
  remember(id: string, url: string | null): void {
    if (url === null) return;
    this.#urls.delete(id);
    this.#urls.set(id, url);
    const oldest = this.#urls.keys().next().value;
    if (this.#urls.size > mostPictures && oldest !== undefined) this.#urls.delete(oldest);
  }
}
