import { changesForMacro, changesForType } from '@stem-studio/contract/decks/effect-slot';
import { type EffectValues, effectBeats, effectTypes } from '@stem-studio/contract/decks/effects';
import { effectControls, masterEffectControls } from '@stem-studio/contract/effect-controls';
import type { EffectChanges, EffectSlotState } from '@stem-studio/contract/resources/deck-effect';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { bindControls, type ContinuousBinding, type ToggleBinding } from '../controls/bind-controls.ts';
import type { Subscribe } from '../controls/control.ts';
import type { ControlTarget } from './control-target.ts';

/** The controls of a slot of a deck's effects: `slot` is 0 or 1. */
export function effectControlsOf({ decks }: ControlTarget, deck: DeckId, slot: 0 | 1, subscribe: Subscribe) {
  const now = () => decks.session.getState().decks[deck].effects[slot];
  const change = (changes: EffectChanges) => decks.dispatch({ event: 'set_effect', deck, slot, changes });
  return bindControls(
    effectControls,
    {
      ...bindingsOf(now, change),
      post_fader: {
        isOn: () => now().is_post_fader,
        flip: () => change({ is_post_fader: !now().is_post_fader }),
      },
    },
    subscribe,
  );
}

/** The controls of the effect on the master. */
export function masterEffectControlsOf({ decks }: ControlTarget, subscribe: Subscribe) {
  const now = () => decks.session.getState().mixer.effect;
  const change = (effect: EffectChanges) => decks.dispatch({ event: 'set_mixer', changes: { effect } });
  return bindControls(masterEffectControls, bindingsOf(now, change), subscribe);
}

function bindingsOf(now: () => EffectSlotState, change: (changes: EffectChanges) => void) {
  const parameter = (index: 0 | 1 | 2 | 3): ContinuousBinding => ({
    read: () => now().parameters[index],
    set: (position) => {
      const parameters: EffectValues = [...now().parameters];
      parameters[index] = position;
      change({ parameters });
    },
  });
  const toggle = (field: 'is_on' | 'is_beat_synced'): ToggleBinding => ({
    isOn: () => now()[field],
    flip: () => change({ [field]: !now()[field] }),
  });
  const type: ContinuousBinding = {
    read: () => effectTypes.indexOf(now().type),
    set: (index) => change(changesForType(effectTypes[Math.round(index)] ?? effectTypes[0])),
  };
  const time: ContinuousBinding = {
    read: () => effectBeats.indexOf(now().beats),
    set: (index) => change({ beats: effectBeats[Math.round(index)] ?? 1 }),
  };
  return {
    type,
    macro: { read: () => now().macro, set: (macro: number) => change(changesForMacro(now(), macro)) },
    wet: { read: () => now().wet, set: (wet: number) => change({ wet }) },
    time,
    time_ms: { read: () => now().ms, set: (ms: number) => change({ ms }) },
    parameter_1: parameter(0),
    parameter_2: parameter(1),
    parameter_3: parameter(2),
    parameter_4: parameter(3),
    on: toggle('is_on'),
    beat_sync: toggle('is_beat_synced'),
  };
}
