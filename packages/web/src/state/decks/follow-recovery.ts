import type { Scope } from '@stem-studio/audio/base/scope';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { onServiceBack } from '../../client/service-reach.ts';
import type { Decks } from './decks.ts';

/** Loads again what the decks could not load while the service was not reachable, for as long as `scope` lives. */
export function followRecovery(scope: Scope, decks: Pick<Decks, 'local' | 'retry'>): void {
  onServiceBack(scope, () => {
    for (const deck of deckIds) if (decks.local.getState()[deck].status === 'failed') decks.retry(deck);
  });
}
