import type { DeckId, DeckLoop } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { LoopRegion } from '../clock/playback-clock.ts';
import { quantizedSeconds } from './beat-jump.ts';
import {
  beatLoopAt,
  beatsOfLoop,
  isInLoop,
  loopFromTo,
  movedLoop,
  placeInLoop,
  scaledLoop,
} from './beat-loop.ts';
import type { DeckHands } from './deck-command-target.ts';

/** Lengths that differ by less are the same, in beats. */
const SAME_BEATS = 0.01;

/** The loops of a deck, and those of its single stems where `stem` is given. */
export class LoopCommands {
  readonly #hands: DeckHands;
  /** What each deck looped before a roll, to be had again after it. */
  readonly #beforeRoll: Record<DeckId, DeckLoop | null> = { a: null, b: null };
  /** Where each deck was when its roll began, in seconds. */
  readonly #rolledFrom: Record<DeckId, number> = { a: 0, b: 0 };

  constructor(hands: DeckHands) {
    this.#hands = hands;
  }

  /** A loop begins here. */
  in(deck: DeckId, stem?: StemType): void {
    if (this.#hands.state(deck).track_id === null) return;
    this.#setBegun(deck, this.#place(deck, stem), stem);
  }

  /** The loop that was begun ends here, and goes round; one that goes round gets its end here. */
  out(deck: DeckId, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    const { loopInSeconds, stemLoopIns } = this.#hands.local(deck);
    const pressed = stem ? stemLoopIns[stem] : loopInSeconds;
    const begun = pressed ?? (loop ? loop.start_ms / 1000 : null);
    if (this.#hands.state(deck).track_id === null || begun === null) return;
    const region = loopFromTo(begun, this.#place(deck, stem), this.#hands.timing(deck));
    this.#setBegun(deck, null, stem);
    if (region) this.#set(deck, region, true, stem);
  }

  /** Loops or stops looping. A loop that lies behind is gone back to. */
  toggle(deck: DeckId, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (loop) this.#set(deck, regionOf(loop), !loop.active, stem);
  }

  /** A loop of so many beats from here; the same once more ends it, another keeps its beginning. */
  beats(deck: DeckId, lengthBeats: number, stem?: StemType): void {
    const state = this.#hands.state(deck);
    if (state.track_id === null) return;
    const timing = this.#hands.timing(deck);
    const loop = this.#loop(deck, stem);
    if (loop?.active) {
      const now = beatsOfLoop(regionOf(loop), timing);
      const isSame = Math.abs(now - lengthBeats) < SAME_BEATS;
      if (isSame) this.#set(deck, regionOf(loop), false, stem);
      else this.#set(deck, scaledLoop(regionOf(loop), lengthBeats / now, timing), true, stem);
      return;
    }
    const seconds = this.#hands.positionSeconds(deck);
    const region = beatLoopAt(seconds, lengthBeats, state.is_quantized, timing);
    if (region) this.#set(deck, region, true, stem);
  }

  /** Half as long, or twice: `factor` is ½ or 2. */
  scale(deck: DeckId, factor: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (!loop) return;
    const scaled = scaledLoop(regionOf(loop), factor, this.#hands.timing(deck));
    this.#set(deck, scaled, loop.active, stem);
  }

  /** So many beats long from where it begins, whether it is gone round or not. */
  resize(deck: DeckId, lengthBeats: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (loop) this.scale(deck, lengthBeats / beatsOfLoop(regionOf(loop), this.#hands.timing(deck)), stem);
  }

  /** Later by so many beats, or earlier; what plays in it goes along. */
  move(deck: DeckId, byBeats: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (!loop) return;
    const moved = movedLoop(regionOf(loop), byBeats, this.#hands.timing(deck));
    this.#set(deck, moved, loop.active, stem);
  }

  /** Loops so many beats for as long as it is held; the song goes on unheard. */
  rollStart(deck: DeckId, lengthBeats: number): void {
    const state = this.#hands.state(deck);
    if (state.track_id === null) return;
    const seconds = this.#hands.positionSeconds(deck);
    const region = beatLoopAt(seconds, lengthBeats, state.is_quantized, this.#hands.timing(deck));
    if (!region) return;
    if (!this.#hands.local(deck).isRolling) {
      this.#beforeRoll[deck] = state.loop;
      this.#rolledFrom[deck] = seconds;
    }
    this.#hands.setLocal(deck, { isRolling: true });
    this.#set(deck, region, true);
  }

  /** The roll is let go: on from where the deck would be, in the loop that it went round before. */
  rollEnd(deck: DeckId): void {
    if (!this.#hands.local(deck).isRolling) return;
    const slipSeconds = this.#hands.slipSeconds(deck);
    this.#hands.setLocal(deck, { isRolling: false });
    const loop = this.#beforeRoll[deck];
    const outer = loop?.active ? regionOf(loop) : null;
    // A deck that slips anyway goes on in its loop from where it is: it returns when that ends.
    const goesOnSlipping = outer !== null && this.#hands.state(deck).is_slipping;
    const from = goesOnSlipping ? this.#hands.positionSeconds(deck) : slipSeconds;
    const comesBack = outer !== null && (goesOnSlipping || this.#rolledFrom[deck] < outer.endSeconds);
    const isPast = comesBack && from !== null && from >= outer.endSeconds;
    const seconds = isPast ? placeInLoop(from, outer) : from;
    const position = seconds === null ? {} : { position_ms: seconds * 1000 };
    this.#hands.act({ event: 'set_loop', deck, loop, ...position }, null);
  }

  #loop(deck: DeckId, stem: StemType | undefined): DeckLoop | null {
    const state = this.#hands.state(deck);
    if (!stem) return state.loop;
    return state.stems.find((one) => one.stem_type === stem)?.loop ?? null;
  }

  /**
   * Sets a loop. A deck that went round in the one before goes on in the new one, by whole rounds of it; one that is past
   * the end of a loop goes back into it.
   */
  #set(deck: DeckId, region: LoopRegion, active: boolean, stem?: StemType): void {
    const loop = { start_ms: region.startSeconds * 1000, end_ms: region.endSeconds * 1000, active };
    if (stem) {
      this.#hands.act({ event: 'set_loop', deck, stem_type: stem, loop });
      return;
    }
    const { loop: before, is_playing, is_quantized } = this.#hands.state(deck);
    const seconds = this.#hands.positionSeconds(deck);
    const wasInside = before?.active === true && isInLoop(seconds, regionOf(before));
    const isPast = active && seconds >= region.endSeconds;
    const to = active && (wasInside || isPast) ? placeInLoop(seconds, region) : seconds;
    const isWhole = beatsOfLoop(region, this.#hands.timing(deck)) >= 1;
    // Out of the loop before the booth finds its way by itself, to the sample.
    const jump =
      wasInside || !isPast ? null : { ms: to * 1000, isPhaseKept: is_playing && is_quantized && isWhole };
    this.#hands.act({ event: 'set_loop', deck, loop, position_ms: to * 1000 }, jump);
  }

  /** Where the deck is heard, or one of its stems that goes round by itself; on the beat where it is quantized. */
  #place(deck: DeckId, stem?: StemType): number {
    const seconds = this.#hands.positionSeconds(deck);
    const loop = stem ? this.#loop(deck, stem) : null;
    const isRound = loop?.active === true && seconds * 1000 >= loop.end_ms;
    const heard = isRound ? placeInLoop(seconds, regionOf(loop)) : seconds;
    const { is_quantized } = this.#hands.state(deck);
    return is_quantized ? quantizedSeconds(heard, this.#hands.timing(deck)) : heard;
  }

  /** Remembers where a loop was begun. */
  #setBegun(deck: DeckId, seconds: number | null, stem: StemType | undefined): void {
    if (!stem) {
      this.#hands.setLocal(deck, { loopInSeconds: seconds });
      return;
    }
    const { [stem]: _before, ...others } = this.#hands.local(deck).stemLoopIns;
    this.#hands.setLocal(deck, { stemLoopIns: seconds === null ? others : { ...others, [stem]: seconds } });
  }
}

function regionOf(loop: DeckLoop): LoopRegion {
  return { startSeconds: loop.start_ms / 1000, endSeconds: loop.end_ms / 1000 };
}
