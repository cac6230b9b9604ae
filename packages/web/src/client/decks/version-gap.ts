import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckLedger } from './deck-ledger.ts';

/** A version that is late by more than this is lost. */
const GAP_MS = 1000;

/** Watches for versions of the session that were announced and do not arrive. */
export class VersionGap {
  readonly #scope: Scope;
  readonly #ledger: Pick<DeckLedger, 'hasGap' | 'confirmed'>;
  readonly #onLost: () => void;
  #isWatching = false;

  /** @param onLost a version is lost: the whole session has to be fetched */
  constructor(scope: Scope, ledger: Pick<DeckLedger, 'hasGap' | 'confirmed'>, onLost: () => void) {
    this.#scope = scope;
    this.#ledger = ledger;
    this.#onLost = onLost;
  }

  /** Starts to watch if a version is missing and none is watched for. */
  watch(): void {
    if (this.#isWatching || !this.#ledger.hasGap) return;
    this.#isWatching = true;
    const version = this.#ledger.confirmed?.version;
    this.#scope.after(GAP_MS, () => {
      this.#isWatching = false;
      if (this.#ledger.hasGap && this.#ledger.confirmed?.version === version) this.#onLost();
      else this.watch();
    });
  }
}
