import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckLoop } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { LoopRegion } from '../clock/playback-clock.ts';
import { quantizedSeconds } from './beat-jump.ts';
import {
  beatLoopAt,
  beatsOfLoop,
  isInLoop,
  loopFromTo,
  movedLoop,
  positionInLoop,
  scaledLoop,
} from './beat-loop.ts';
import type { DeckCommandTarget } from './deck-command-target.ts';

/** Lengths that differ by less are equal, in beats. */
const SAME_BEATS = 0.01;

/** Commands for the loop of a deck, or of one of its stems where `stem` is given. */
export class LoopCommands {
  readonly #target: DeckCommandTarget;
  /** Loop of each deck before a roll, restored after it. */
  readonly #beforeRoll: Record<DeckId, DeckLoop | null> = { a: null, b: null };
  /** Position of each deck at the start of its roll, in seconds. */
  readonly #rolledFrom: Record<DeckId, number> = { a: 0, b: 0 };

  constructor(target: DeckCommandTarget) {
    this.#target = target;
  }

  /** Sets the start of a loop. */
  in(deck: DeckId, stem?: StemType): void {
    if (this.#target.state(deck).track_id === null) return;
    this.#setLoopIn(deck, this.#positionSeconds(deck, stem), stem);
  }

  /** Sets the end of the loop and activates it; moves the end of an active one. */
  out(deck: DeckId, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    const { loopInSeconds, stemLoopIns } = this.#target.local(deck);
    const pressed = stem ? stemLoopIns[stem] : loopInSeconds;
    const loopIn = pressed ?? (loop ? loop.start_ms / 1000 : null);
    if (this.#target.state(deck).track_id === null || loopIn === null) return;
    const region = loopFromTo(loopIn, this.#positionSeconds(deck, stem), this.#target.timing(deck));
    this.#setLoopIn(deck, null, stem);
    if (region) this.#set(deck, region, true, stem);
  }

  /** Activates or deactivates the loop. A deck past its end returns into it. */
  toggle(deck: DeckId, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (loop) this.#set(deck, regionOf(loop), !loop.active, stem);
  }

  /** Loops a number of beats from the position; the same length again ends the loop, another keeps its start. */
  beats(deck: DeckId, lengthBeats: number, stem?: StemType): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const timing = this.#target.timing(deck);
    const loop = this.#loop(deck, stem);
    if (loop?.active) {
      const now = beatsOfLoop(regionOf(loop), timing);
      const isSame = Math.abs(now - lengthBeats) < SAME_BEATS;
      if (isSame) this.#set(deck, regionOf(loop), false, stem);
      else this.#set(deck, scaledLoop(regionOf(loop), lengthBeats / now, timing), true, stem);
      return;
    }
    const seconds = this.#target.positionSeconds(deck);
    const region = beatLoopAt(seconds, lengthBeats, state.is_quantized, timing);
    if (region) this.#set(deck, region, true, stem);
  }

  /** Scales the length by `factor`, ½ or 2. */
  scale(deck: DeckId, factor: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (!loop) return;
    const scaled = scaledLoop(regionOf(loop), factor, this.#target.timing(deck));
    this.#set(deck, scaled, loop.active, stem);
  }

  /** Sets the length in beats from the start, whether the loop is active or not. */
  resize(deck: DeckId, lengthBeats: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (loop) this.scale(deck, lengthBeats / beatsOfLoop(regionOf(loop), this.#target.timing(deck)), stem);
  }

  /** Moves the loop by a number of beats; playback within it moves along. */
  move(deck: DeckId, byBeats: number, stem?: StemType): void {
    const loop = this.#loop(deck, stem);
    if (!loop) return;
    const moved = movedLoop(regionOf(loop), byBeats, this.#target.timing(deck));
    this.#set(deck, moved, loop.active, stem);
  }

  /** Starts a loop roll of a number of beats, with slip. */
  rollStart(deck: DeckId, lengthBeats: number): void {
    const state = this.#target.state(deck);
    if (state.track_id === null) return;
    const seconds = this.#target.positionSeconds(deck);
    const region = beatLoopAt(seconds, lengthBeats, state.is_quantized, this.#target.timing(deck));
    if (!region) return;
    if (!this.#target.local(deck).isRolling) {
      this.#beforeRoll[deck] = state.loop;
      this.#rolledFrom[deck] = seconds;
    }
    this.#target.setLocal(deck, { isRolling: true });
    this.#set(deck, region, true);
  }

  /** Ends the loop roll: playback continues where it would be, in the loop from before. */
  rollEnd(deck: DeckId): void {
    if (!this.#target.local(deck).isRolling) return;
    const slipSeconds = this.#target.slipSeconds(deck);
    this.#target.setLocal(deck, { isRolling: false });
    const loop = this.#beforeRoll[deck];
    const outer = loop?.active ? regionOf(loop) : null;
    // A deck with slip on continues in its loop from where it is, and returns when that loop ends.
    const goesOnSlipping = outer !== null && this.#target.state(deck).is_slipping;
    const from = goesOnSlipping ? this.#target.positionSeconds(deck) : slipSeconds;
    const comesBack = outer !== null && (goesOnSlipping || this.#rolledFrom[deck] < outer.endSeconds);
    const isPast = comesBack && from !== null && from >= outer.endSeconds;
    const seconds = isPast ? positionInLoop(from, outer) : from;
    const position = seconds === null ? {} : { position_ms: seconds * 1000 };
    this.#target.act({ event: 'set_loop', deck, loop, ...position }, null);
  }

  #loop(deck: DeckId, stem: StemType | undefined): DeckLoop | null {
    const state = this.#target.state(deck);
    if (!stem) return state.loop;
    return state.stems.find((one) => one.stem_type === stem)?.loop ?? null;
  }

  /**
   * Sets a loop. A deck inside the previous loop continues in the new one, displaced by whole rounds; one past the end
   * returns into it.
   */
  #set(deck: DeckId, region: LoopRegion, active: boolean, stem?: StemType): void {
    const loop = { start_ms: region.startSeconds * 1000, end_ms: region.endSeconds * 1000, active };
    if (stem) {
      this.#target.act({ event: 'set_loop', deck, stem_type: stem, loop });
      return;
    }
    const { loop: before, is_playing, is_quantized } = this.#target.state(deck);
    const seconds = this.#target.positionSeconds(deck);
    const wasInside = before?.active === true && isInLoop(seconds, regionOf(before));
    const isPast = active && seconds >= region.endSeconds;
    const to = active && (wasInside || isPast) ? positionInLoop(seconds, region) : seconds;
    const isWholeBeats = beatsOfLoop(region, this.#target.timing(deck)) >= 1;
    // Out of the previous loop the engine moves by itself, to the sample.
    const jump =
      wasInside || !isPast ? null : { ms: to * 1000, keepsPhase: is_playing && is_quantized && isWholeBeats };
    this.#target.act({ event: 'set_loop', deck, loop, position_ms: to * 1000 }, jump);
  }

  /** Position of the deck, or of a stem that loops by itself; on the beat where quantize is on. */
  #positionSeconds(deck: DeckId, stem?: StemType): number {
    const seconds = this.#target.positionSeconds(deck);
    const loop = stem ? this.#loop(deck, stem) : null;
    const wraps = loop?.active === true && seconds * 1000 >= loop.end_ms;
    const audible = wraps ? positionInLoop(seconds, regionOf(loop)) : seconds;
    const { is_quantized } = this.#target.state(deck);
    return is_quantized ? quantizedSeconds(audible, this.#target.timing(deck)) : audible;
  }

  /** Stores the start of a loop that has no end yet. */
  #setLoopIn(deck: DeckId, seconds: number | null, stem: StemType | undefined): void {
    if (!stem) {
      this.#target.setLocal(deck, { loopInSeconds: seconds });
      return;
    }
    const { [stem]: _before, ...others } = this.#target.local(deck).stemLoopIns;
    this.#target.setLocal(deck, { stemLoopIns: seconds === null ? others : { ...others, [stem]: seconds } });
  }
}

function regionOf(loop: DeckLoop): LoopRegion {
  return { startSeconds: loop.start_ms / 1000, endSeconds: loop.end_ms / 1000 };
}
