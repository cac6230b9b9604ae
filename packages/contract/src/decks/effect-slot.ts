import type { EffectChanges, EffectSlotState } from '../resources/deck-effect.ts';
import { type EffectType, effectSpecs, macroPositions, restingPositions } from './effects.ts';

/** Returns a slot with the defaults of a type, off. */
export function createEffectSlot(type: EffectType): EffectSlotState {
  const { macro, wet, beats } = effectSpecs[type].defaults;
  return {
    is_on: false,
    type,
    macro,
    wet,
    is_post_fader: true,
    is_beat_synced: true,
    beats,
    ms: 500,
    parameters: macroPositions(type, macro, restingPositions(type)),
  };
}

/**
 * Returns the changes for another type: it brings its settings, and leaves the slot on or off, before or after the
 * fader, and synced to beats or not.
 */
export function changesForType(type: EffectType): EffectChanges {
  const { macro, wet, beats, parameters } = createEffectSlot(type);
  return { type, macro, wet, beats, parameters };
}

/** Returns the changes for a position of the macro knob, which moves parameters of the slot. */
export function changesForMacro({ type, parameters }: EffectSlotState, macro: number): EffectChanges {
  return { macro, parameters: macroPositions(type, macro, parameters) };
}

/** Fields of a slot that a knob moves continuously. */
const continuousFields: ReadonlySet<string> = new Set(['macro', 'wet', 'ms', 'parameters']);

/** Returns whether changes are movements of knobs only, of which the last values matter. */
export function isContinuousEffect(changes: EffectChanges): boolean {
  return Object.keys(changes).every((field) => continuousFields.has(field));
}
