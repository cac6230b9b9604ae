import { beatsOfLoop } from '@stem-studio/audio/deck/beat-loop';
import { deckTiming } from '@stem-studio/audio/deck/deck-timing';
import { beatLengths } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { ControlTarget } from './control-target.ts';

/** Default length of a stem's loop, in beats. */
const USUAL_BEATS = 4;
/** Largest difference of lengths that count as equal, in beats. */
const SAME_BEATS = 0.01;

/** Returns the length of a stem's loop in beats, active or not; without a loop, the length that one would have. */
export function stemLoopLength({ decks, state }: ControlTarget, deck: DeckId, stem_type: StemType): number {
  const { stems, track_bpm, duration_ms } = decks.session.getState().decks[deck];
  const loop = stems.find((stem) => stem.stem_type === stem_type)?.loop;
  if (!loop) return state.getState().stemLoopBeats[deck][stem_type] ?? USUAL_BEATS;
  const { beats } = decks.local.getState()[deck].grid;
  const region = { startSeconds: loop.start_ms / 1000, endSeconds: loop.end_ms / 1000 };
  const length = beatsOfLoop(region, deckTiming(beats, track_bpm, duration_ms / 1000));
  return beatLengths.find((one) => Math.abs(one - length) < Math.min(SAME_BEATS, one / 8)) ?? length;
}
