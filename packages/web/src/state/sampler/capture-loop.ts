import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import { samplerBounds } from '@stem-studio/contract/resources/sampler-pad';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { ControlTarget } from '../decks/control-target.ts';
import type { SamplerBoard } from './sampler-board.ts';

/** A length this close to whole beats has that many, in beats. */
const WHOLE_BEATS = 0.02;

/** A region of a deck's song. */
export interface DeckRegion {
  startSeconds: number;
  endSeconds: number;
  /** Its length in beats; null where the song has no beats, or it is not a number of whole beats. */
  beats: number | null;
}

/**
 * Returns the region that a capture takes: the loop of the stem, else of the deck, active or not; without one the
 * selected loop length from the playhead on.
 */
export function regionOf(
  deck: Pick<DeckState, 'loop' | 'stems'>,
  stem: StemType | null,
  grid: { beats: readonly number[]; downbeats: readonly number[] },
  positionSeconds: number,
  loopBeats: number,
): DeckRegion {
  const lookup = new BeatLookup(grid.beats, grid.downbeats);
  const stemLoop = deck.stems.find(({ stem_type }) => stem_type === stem)?.loop;
  const loop = (stemLoop?.active ? stemLoop : null) ?? deck.loop;
  if (!loop) {
    if (!lookup.hasTempo)
      return { startSeconds: positionSeconds, endSeconds: positionSeconds + 2, beats: null };
    const start = lookup.beatAt(positionSeconds);
    return {
      startSeconds: positionSeconds,
      endSeconds: lookup.secondsAt(start + loopBeats),
      beats: loopBeats,
    };
  }
  const startSeconds = loop.start_ms / 1000;
  const endSeconds = loop.end_ms / 1000;
  if (!lookup.hasTempo) return { startSeconds, endSeconds, beats: null };
  const beats = lookup.beatAt(endSeconds) - lookup.beatAt(startSeconds);
  const whole = Math.round(beats);
  const isWhole = whole >= 1 && whole <= samplerBounds.beats && Math.abs(beats - whole) < WHOLE_BEATS;
  return { startSeconds, endSeconds, beats: isWhole ? whole : null };
}

/**
 * Fills a pad with the present loop of a deck, or of one of its stems. It plays round and round with the leading deck.
 *
 * @param name name of the pad
 * @throws Error with a message for the user where the region is too long or not loaded
 */
export async function captureLoop(
  { decks, state }: ControlTarget,
  board: SamplerBoard,
  pad: number,
  deck: DeckId,
  stem: StemType | null,
  name: string,
): Promise<void> {
  const loaded = decks.sourceOf(deck, stem);
  if (!loaded) throw new Error(`deck ${deck.toUpperCase()} has nothing to capture`);
  const { sampleRateHz, source } = loaded;
  const region = regionOf(
    decks.session.getState().decks[deck],
    stem,
    decks.local.getState()[deck].grid,
    decks.positionSeconds(deck),
    state.getState().lengths[deck].loopBeats,
  );
  const seconds = region.endSeconds - region.startSeconds;
  if (seconds > samplerBounds.seconds)
    throw new Error(
      `a sample lasts at most ${samplerBounds.seconds} s (this loop lasts ${Math.round(seconds)} s)`,
    );
  const captured = await board.capture({
    deck,
    source,
    startFrame: region.startSeconds * sampleRateHz,
    endFrame: region.endSeconds * sampleRateHz,
  });
  const hasTempo = region.beats !== null;
  board.fill(
    pad,
    { ...captured, beats: region.beats },
    {
      name: name.trim().slice(0, samplerBounds.name) || `Deck ${deck.toUpperCase()}`,
      mode: 'loop',
      quantize: hasTempo ? 'beat' : 'off',
      tempo: hasTempo ? 'key-lock' : 'recorded',
    },
  );
}
