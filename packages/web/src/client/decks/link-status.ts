import type { Scope } from '@stem-studio/audio/base/scope';

/**
 * Status of a link: `lost` between a disconnection and the reconnection; `ended` with the login; `apart` if the
 * session of the next login has other decks while something plays here; `outdated` if the service was updated and this
 * page cannot read its session.
 */
export type DeckLinkStatus = 'connecting' | 'joined' | 'lost' | 'ended' | 'apart' | 'outdated';

/** Status of a link, reported when it changes. */
export class LinkStatus {
  readonly #scope: Scope;
  readonly #onChange: ((status: DeckLinkStatus) => void) | undefined;
  #current: DeckLinkStatus = 'connecting';
  /** Why the link waits for a new login; null while it does not. */
  #ended: 'ended' | 'apart' | null = null;

  /** @param scope nothing is reported after its end */
  constructor(scope: Scope, onChange: ((status: DeckLinkStatus) => void) | undefined) {
    this.#scope = scope;
    this.#onChange = onChange;
  }

  get current(): DeckLinkStatus {
    return this.#current;
  }

  /** Whether the link waits for a new login. */
  get isEnded(): boolean {
    return this.#ended !== null;
  }

  set(status: DeckLinkStatus): void {
    if (status === this.#current || this.#scope.isDisposed) return;
    this.#current = status;
    this.#onChange?.(status);
  }

  /** The connection broke: the link is lost, unless it ended or was never joined. */
  lose(): void {
    this.set(this.#ended ?? (this.#current === 'connecting' ? 'connecting' : 'lost'));
  }

  /** The link waits for a new login from now on. */
  end(reason: 'ended' | 'apart'): void {
    this.#ended = reason;
  }

  /** There is a new login. */
  renew(): void {
    this.#ended = null;
    this.set('lost');
  }
}
