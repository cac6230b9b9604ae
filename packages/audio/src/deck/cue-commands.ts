import { cueColors } from '@stem-studio/contract/resources/cue';
import type { DeckId, HotCue } from '@stem-studio/contract/resources/deck-session';
import { quantizedSeconds } from './beat-jump.ts';
import type { DeckCommandTarget } from './deck-command-target.ts';
import type { DeckJump } from './deck-jump.ts';
import type { PreviewButton } from './local-deck.ts';

/** A deck that stands no further from its cue stands on it. */
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
 * CUE does as on a club player: a deck that plays goes back to its cue and stops; one that stands on its cue plays for as
 * long as the button is held; one that stands elsewhere gets its cue there. A hot cue is jumped to on a deck that plays; on
 * one that stands it plays for as long as it is held. Of several that are held the last one pressed is heard, and Play lets
 * any of them go on.
 */
export class CueCommands {
  readonly #target: DeckCommandTarget;

  constructor(target: DeckCommandTarget) {
    this.#target = target;
  }

  /** CUE is pressed. */
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

  /** CUE is let go: a preview ends where it began, unless play was pressed meanwhile. */
  release(deck: DeckId): void {
    this.#endPreview(deck, 'cue');
  }

  /** Sets the cue where the deck is, on the beat where it is quantized; a deck that stands goes there. */
  setHere(deck: DeckId): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const position_ms = this.#positionMs(deck);
    this.#target.act({ event: 'set_cue', deck, position_ms });
    if (!state.is_playing) this.#target.act({ event: 'seek', deck, position_ms });
  }

  /** A hot cue is pressed: one that is not set is set; one that is set is jumped to, and heard on a deck that stands. */
  pressSlot(deck: DeckId, slot: number): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const cue = state.hot_cues.find((one) => one.slot === slot);
    if (!cue) {
      this.#set(deck, slot, { position_ms: this.#positionMs(deck), end_ms: null });
      return;
    }
    const isHeard = !state.is_playing || this.#target.local(deck).preview !== null;
    const { position_ms } = cue;
    // What one preview leaves for another is not kept in time with it.
    this.#target.act({ event: 'trigger_cue', deck, slot }, isHeard ? exactly(position_ms) : undefined);
    if (isHeard) this.#preview(deck, slot, position_ms);
  }

  /** A hot cue is let go: see {@link release}. */
  releaseSlot(deck: DeckId, slot: number): void {
    this.#endPreview(deck, slot);
  }

  /** Keeps the loop of a deck in a slot, or in the first that is empty. */
  saveLoop(deck: DeckId, slot?: number): void {
    const { loop, hot_cues } = this.#target.state(deck);
    if (!loop) return;
    const free = slotColors.findIndex((_, index) => !hot_cues.some((cue) => cue.slot === index));
    const into = slot ?? free;
    if (into >= 0) this.#set(deck, into, { position_ms: loop.start_ms, end_ms: loop.end_ms }, 'Loop');
  }

  /** Empties a slot. */
  delete(deck: DeckId, slot: number): void {
    this.#target.act({ event: 'set_hot_cue', deck, slot, cue: null });
  }

  /** Plays from a place for as long as a button is held. */
  #preview(deck: DeckId, button: PreviewButton, position_ms: number): void {
    this.#target.setLocal(deck, { preview: { button, position_ms } });
    this.#target.act({ event: 'play', deck, position_ms });
  }

  /** Ends the preview of a button: the deck stands where it began. One that was stopped meanwhile is left where it is. */
  #endPreview(deck: DeckId, button: PreviewButton): void {
    const { preview } = this.#target.local(deck);
    if (preview?.button !== button) return;
    this.#target.setLocal(deck, { preview: null });
    if (!this.#target.state(deck).is_playing) return;
    const { position_ms } = preview;
    this.#target.act({ event: 'pause', deck, position_ms }, exactly(position_ms));
  }

  #set(deck: DeckId, slot: number, place: Pick<HotCue, 'position_ms' | 'end_ms'>, label = ''): void {
    const color = slotColors[slot % slotColors.length] ?? cueColors.custom;
    const cue = { ...place, label, color, cue_point_id: null };
    this.#target.act({ event: 'set_hot_cue', deck, slot, cue });
  }

  /** Where the deck is, on the beat where it is quantized. */
  #positionMs(deck: DeckId): number {
    const seconds = this.#target.positionSeconds(deck);
    const { is_quantized } = this.#target.state(deck);
    return (is_quantized ? quantizedSeconds(seconds, this.#target.timing(deck)) : seconds) * 1000;
  }
}

/** To a place, and not only near it. */
function exactly(ms: number): DeckJump {
  return { ms, keepsPhase: false };
}
