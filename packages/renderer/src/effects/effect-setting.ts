import { effectSpecs, effectValue } from '@stem-studio/contract/decks/effects';
import type { EffectSlotState } from '@stem-studio/contract/resources/deck-effect';
import type { EffectSetting } from './effect-kernel.ts';

/** Converts a slot of the session for the engine. */
export function effectSetting(slot: EffectSlotState): EffectSetting {
  const { type, wet, ms, parameters } = slot;
  return {
    type,
    isOn: slot.is_on,
    wet,
    isPostFader: slot.is_post_fader,
    beats: slot.is_beat_synced ? slot.beats : null,
    ms,
    values: effectSpecs[type].parameters.map((spec, index) => effectValue(spec, parameters[index] ?? 0)),
  };
}
