import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { beatJumpTarget } from './beat-jump.ts';
import { isInLoop, movedLoop } from './beat-loop.ts';
import type { DeckCommandTarget } from './deck-command-target.ts';

/**
 * Jumps by a number of beats in phase. An active loop moves along.
 *
 * @param beats negative jumps back
 */
export function beatJump(target: DeckCommandTarget, deck: DeckId, beats: number): void {
  const { track_id, is_playing, loop } = target.state(deck);
  if (track_id === null) return;
  const timing = target.timing(deck);
  const seconds = target.positionSeconds(deck);
  const keepsPhase = is_playing && Number.isInteger(beats);
  const region = loop && { startSeconds: loop.start_ms / 1000, endSeconds: loop.end_ms / 1000 };
  const position_ms = beatJumpTarget(seconds, beats, timing) * 1000;
  if (!loop?.active || !region || !isInLoop(seconds, region)) {
    target.act({ event: 'seek', deck, position_ms }, { ms: position_ms, keepsPhase });
    return;
  }
  const moved = movedLoop(region, beats, timing);
  if (moved === region) return;
  const along = { start_ms: moved.startSeconds * 1000, end_ms: moved.endSeconds * 1000, active: true };
  target.act({ event: 'set_loop', deck, loop: along, position_ms }, { ms: position_ms, keepsPhase });
}
