import { beatsText, type ControlSpec, choice, continuous, ratio, toggle } from './control-spec.ts';
import { effectBeats, effectMs, effectSpecs, effectTypes } from './decks/effects.ts';

const parameter = (index: number) => ratio(`Parameter ${index} of the effect's type`, 0.5);

/** Controls of the effect on the master, by their name after `mixer.effect.`. */
export const masterEffectControls = {
  type: choice(
    'Type of the effect; another type brings its own settings',
    effectTypes.map((type) => effectSpecs[type].label),
  ),
  macro: ratio('Macro: moves the parameters of the effect together', 0.5),
  wet: ratio('Mix of dry signal and effect; 0 is dry, 1 is the effect alone', 0.5),
  time: choice('Time of the effect, in beats', effectBeats.map(beatsText), effectBeats.indexOf(1)),
  time_ms: continuous('Time of the effect where it is not synced to beats', 'ms', {
    ...effectMs,
    rest: 500,
    step: 10,
  }),
  parameter_1: parameter(1),
  parameter_2: parameter(2),
  parameter_3: parameter(3),
  parameter_4: parameter(4),
  on: toggle('Effect on; echo, delay and reverb ring out when it is turned off'),
  beat_sync: toggle('Time of the effect in beats'),
} as const satisfies Record<string, ControlSpec>;

/** Controls of a deck's effect, by their name after `deck.<a|b>.effect_<1|2>.`. */
export const effectControls = {
  ...masterEffectControls,
  post_fader: toggle('Effect after fader and crossfader, so that it rings out when they are closed'),
} as const satisfies Record<string, ControlSpec>;

/** Names of a deck's slots of effects in addresses. */
export const effectSlotNames = ['effect_1', 'effect_2'] as const;
