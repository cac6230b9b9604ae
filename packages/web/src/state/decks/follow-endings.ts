import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type DeckEndState, notEnding, setEndings } from './deck-endings.ts';
import type { DjEngine } from './dj-engine.ts';
import { isHeldByLoop, remainingSeconds } from './remaining-seconds.ts';

/** Interval at which the remaining time is updated, in ms. */
const EVERY_MS = 250;

/** Keeps the end state of both decks up to date for as long as `scope` lives. */
export function followEndings(
  scope: Scope,
  decks: Pick<DjEngine['decks'], 'session' | 'local' | 'positionSeconds'>,
): void {
  const { session, local } = decks;
  const endingOf = (deck: DeckId): DeckEndState => {
    const { isEnding: isNear } = local.getState()[deck];
    const { is_playing, loop, duration_ms, tempo_percent } = session.getState().decks[deck];
    const position = decks.positionSeconds(deck);
    const isComing = isNear && is_playing && !isHeldByLoop(loop, position);
    const left = () => remainingSeconds(duration_ms / 1000, position, tempo_percent);
    return { isNear, secondsLeft: isComing ? Math.ceil(left()) : null };
  };
  const look = () => setEndings({ a: endingOf('a'), b: endingOf('b') });
  scope.own(local.subscribe(look));
  scope.own(session.subscribe(look));
  scope.every(EVERY_MS, look);
  scope.own(() => setEndings({ a: notEnding, b: notEnding }));
}
