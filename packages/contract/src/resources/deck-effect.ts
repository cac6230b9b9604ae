import { z } from 'zod';
import { effectBeats, effectMs, effectTypes } from '../decks/effects.ts';

/** Position of a knob: 0 to 1. */
const position = z.number().min(0).max(1);

/**
 * Slot of an effect: its type and settings. `parameters` are the positions of the type's parameters. A window that
 * moves `macro` or changes `type` sends the parameters that follow from it: see `changesForMacro`, `changesForType`.
 *
 * @spec Effects
 */
export const effectSlot = z.strictObject({
  is_on: z.boolean(),
  type: z.enum(effectTypes),
  macro: position,
  /** 0 is the dry signal alone, 1 the effect alone. */
  wet: position,
  /** Whether it stands after fader and crossfader, so that it rings on when they are closed. */
  is_post_fader: z.boolean(),
  /** Whether its time is in beats where the song has a grid; else, and without a grid, it is in ms. */
  is_beat_synced: z.boolean(),
  beats: z.literal(effectBeats),
  ms: z.number().min(effectMs.min).max(effectMs.max),
  parameters: z.tuple([position, position, position, position]),
});
/** Slot of an effect. */
export type EffectSlotState = z.infer<typeof effectSlot>;

/** Changes of a slot by a message. */
export const effectChanges = effectSlot.partial();
/** Changes of a slot by a message. */
export type EffectChanges = z.infer<typeof effectChanges>;
