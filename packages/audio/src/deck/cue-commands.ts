import { cueColors } from '@stem-studio/contract/resources/cue';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { HotCue } from '@stem-studio/contract/resources/deck-session';
import { quantizedSeconds } from './beat-jump.ts';
import type { DeckCommandTarget } from './deck-command-target.ts';
import type { DeckJump } from './deck-jump.ts';
import type { PreviewButton } from './local-deck.ts';

/** Largest distance of a paused deck from its cue at which it counts as being at the cue. */
const AT_CUE_MS = 2;

/** Colours of hot cues by slot, so that neighbours differ. */
const slotColors = [
  cueColors.drop,
  cueColors.mix_out,
  cueColors.build,
  cueColors.mix_in,
  cueColors.intro,
  cueColors.breakdown,
  cueColors.chorus,
  cueColors.loop,
] as const;

/**
 * The CUE button and the hot cues.
 *
 * CUE works as on a club player: a playing deck returns to its cue and stops; a deck on its cue plays while the button
 * is held; any other paused deck gets its cue at its position. A hot cue makes a playing deck jump; a paused deck plays
 * from it while it is held. Of several held buttons the last one pressed counts, and Play turns any preview into
 * playback.
 */
export class CueCommands {
  readonly #target: DeckCommandTarget;

  constructor(target: DeckCommandTarget) {
    this.#target = target;
  }

  /** Handles a press of CUE. */
  press(deck: DeckId): void {
    const state = this.#target.state(deck);
    if (state.track_id === null || this.#target.local(deck).preview?.button === 'cue') return;
    if (state.is_playing) {
      this.#target.setLocal(deck, { preview: null });
      this.#target.act({ event: 'jump_to_cue', deck });
      return;
    }
    const positionMs = this.#target.positionSeconds(deck) * 1000;
    if (Math.abs(positionMs - state.cue_ms) > AT_CUE_MS) this.setHere(deck);
    else this.#preview(deck, 'cue', state.cue_ms);
  }

  /** Handles the release of CUE: a preview ends where it began, unless Play was pressed meanwhile. */
  release(deck: DeckId): void {
    this.#endPreview(deck, 'cue');
  }

  /** Sets the cue at the deck's position, on the beat where quantize is on. A paused deck moves there. */
  setHere(deck: DeckId): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const position_ms = this.#positionMs(deck);
    this.#target.act({ event: 'set_cue', deck, position_ms });
    if (!state.is_playing) this.#target.act({ event: 'seek', deck, position_ms });
  }

  /** Handles a press of a hot cue: sets an empty slot, jumps to a set one, and previews it on a paused deck. */
  pressSlot(deck: DeckId, slot: number): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const cue = state.hot_cues.find((one) => one.slot === slot);
    if (!cue) {
      this.#set(deck, slot, { position_ms: this.#positionMs(deck), end_ms: null });
      return;
    }
    const isPreviewed = !state.is_playing || this.#target.local(deck).preview !== null;
    const { position_ms } = cue;
    // A preview that replaces another one starts exactly at its cue, not in phase with the other.
    this.#target.act({ event: 'trigger_cue', deck, slot }, isPreviewed ? exactly(position_ms) : undefined);
    if (isPreviewed) this.#preview(deck, slot, position_ms);
  }

  /** Handles the release of a hot cue: see {@link release}. */
  releaseSlot(deck: DeckId, slot: number): void {
    this.#endPreview(deck, slot);
  }

  /** Saves the loop of a deck in a slot, or in the first empty one. */
  saveLoop(deck: DeckId, slot?: number): void {
    const { loop, hot_cues } = this.#target.state(deck);
    if (!loop) return;
    const free = slotColors.findIndex((_, index) => !hot_cues.some((cue) => cue.slot === index));
    const into = slot ?? free;
    if (into >= 0) this.#set(deck, into, { position_ms: loop.start_ms, end_ms: loop.end_ms }, 'Loop');
  }

  /** Clears a slot. */
  delete(deck: DeckId, slot: number): void {
    this.#target.act({ event: 'set_hot_cue', deck, slot, cue: null });
  }

  /** Plays from a position while a button is held. */
  #preview(deck: DeckId, button: PreviewButton, position_ms: number): void {
    this.#target.setLocal(deck, { preview: { button, position_ms } });
    this.#target.act({ event: 'play', deck, position_ms });
  }

  /**
   * Ends the preview of a button: the deck returns to its start. A deck that was stopped meanwhile stays where it is.
   */
  #endPreview(deck: DeckId, button: PreviewButton): void {
    const { preview } = this.#target.local(deck);
    if (preview?.button !== button) return;
    this.#target.setLocal(deck, { preview: null });
    if (!this.#target.state(deck).is_playing) return;
    const { position_ms } = preview;
    this.#target.act({ event: 'pause', deck, position_ms }, exactly(position_ms));
  }

  #set(deck: DeckId, slot: number, fields: Pick<HotCue, 'position_ms' | 'end_ms'>, label = ''): void {
    const color = slotColors[slot % slotColors.length] ?? cueColors.custom;
    const cue = { ...fields, label, color, cue_point_id: null };
    this.#target.act({ event: 'set_hot_cue', deck, slot, cue });
  }

  /** Position of the deck, on the beat where quantize is on. */
  #positionMs(deck: DeckId): number {
    const seconds = this.#target.positionSeconds(deck);
    const { is_quantized } = this.#target.state(deck);
    return (is_quantized ? quantizedSeconds(seconds, this.#target.timing(deck)) : seconds) * 1000;
  }
}

/** A jump to exactly this position, without keeping the phase. */
function exactly(ms: number): DeckJump {
  return { ms, keepsPhase: false };
}
