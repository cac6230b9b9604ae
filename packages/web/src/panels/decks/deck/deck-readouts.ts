import type { Scope } from '@stem-studio/audio/base/scope';
import { playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { musicalPosition, musicalText } from '@stem-studio/dsp/time/musical-position';
import { smpteText } from '@stem-studio/dsp/time/smpte';
import type { AnimationLoop } from '../../../base/animation-loop.ts';
import { clockText } from '../../../base/format.ts';
import type { ControlTarget } from '../../../state/decks/control-target.ts';
import { endingStage, remainingSeconds } from '../../../state/decks/remaining-seconds.ts';

/** Elements that show the position and tempo of a deck. */
export interface ReadoutElements {
  smpte: HTMLElement;
  bars: HTMLElement;
  remaining: HTMLElement;
  elapsed: HTMLElement;
  bpm: HTMLElement;
  /** Slider of the playback position, which announces the time to screen readers. */
  positionSlider: HTMLElement;
  /** Has `data-ending` with the stage of the countdown, `30` or `15`, while the track is about to end; else `false`. */
  deck: HTMLElement;
  jog: HTMLElement | null;
}

/** Seconds of the track per rotation of the platter: 33⅓ rotations per minute. */
export const REVOLUTION_SECONDS = 1.8;

/**
 * Updates the readouts and the platter of a deck in every animation frame for as long as `scope` lives, outside of React.
 * Elements are touched only after changes.
 */
export function openDeckReadouts(
  scope: Scope,
  animation: AnimationLoop,
  { decks }: ControlTarget,
  deckId: DeckId,
  parts: ReadoutElements,
): void {
  let shownPosition = Number.NaN;
  let shownGrid: unknown = null;
  let wasLoaded = false;
  let shownRemaining = '';
  let shownBpm = '';
  let shownEnding = '';
  animation.add(scope, () => {
    const deck = decks.session.getState().decks[deckId];
    const local = decks.local.getState()[deckId];
    const position = decks.positionSeconds(deckId);
    const played = playedBpm(deck);
    const bpm = played === null ? '–' : played.toFixed(2);
    if (bpm !== shownBpm) parts.bpm.textContent = shownBpm = bpm;
    const isLoaded = deck.track_id !== null;
    const rest = remainingSeconds(deck.duration_ms / 1000, position, deck.tempo_percent);
    const remaining = isLoaded ? `−${clockText(Math.ceil(rest))}` : '−0:00';
    if (remaining !== shownRemaining) parts.remaining.textContent = shownRemaining = remaining;
    const ending = String((isLoaded && endingStage(deck, position)) || false);
    if (ending !== shownEnding) parts.deck.dataset['ending'] = shownEnding = ending;
    const second = Math.floor(position);
    if (second !== Math.floor(shownPosition) || isLoaded !== wasLoaded) {
      parts.elapsed.textContent = clockText(isLoaded ? second : 0);
      parts.positionSlider.setAttribute('aria-valuenow', String(second));
      parts.positionSlider.setAttribute(
        'aria-valuetext',
        isLoaded ? `${clockText(second)} of ${clockText(deck.duration_ms / 1000)}` : 'no track',
      );
    }
    if (position === shownPosition && local.grid === shownGrid && isLoaded === wasLoaded) return false;
    shownPosition = position;
    shownGrid = local.grid;
    wasLoaded = isLoaded;
    parts.smpte.textContent = isLoaded ? smpteText(position) : '--:--:--:--';
    parts.bars.textContent = musicalText(
      isLoaded
        ? musicalPosition(position, local.grid.beats, local.grid.downbeats, local.grid.beatsPerBar)
        : null,
    );
    if (parts.jog) parts.jog.style.transform = `rotate(${((position / REVOLUTION_SECONDS) * 360) % 360}deg)`;
    return true;
  });
}
