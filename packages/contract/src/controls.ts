import {
  beatsText,
  bipolar,
  button,
  type ContinuousSpec,
  type ControlRange,
  type ControlSpec,
  choice,
  continuous,
  heldButton,
  ratio,
  toggle,
} from './control-spec.ts';
import { effectControls, effectSlotNames, masterEffectControls } from './effect-controls.ts';
import { deckBounds } from './limits.ts';
import { deckIds } from './resources/deck-id.ts';
import { crossfaderCurves, tempoRanges } from './resources/deck-session.ts';
import { stemTypes } from './resources/stem.ts';
import { microphoneControls, padNumbers, samplerControls, samplerPadControls } from './sampler-controls.ts';

/** Number of hot cues per deck that have controls. */
export const hotCuePads = 8;

/** Lengths of loops and beat jumps, in beats. */
export const beatLengths = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64] as const;

function beatLength(about: string): ContinuousSpec {
  return choice(about, beatLengths.map(beatsText), beatLengths.indexOf(4));
}

const loopButtons = {
  loop_out: button('Ends the loop here and activates it'),
  loop_toggle: toggle('Loop active'),
  loop_halve: button('Halves the length of the loop'),
  loop_double: button('Doubles the length of the loop'),
  loop_move_back: button('Moves the loop back by the jump length'),
  loop_move_forward: button('Moves the loop forward by the jump length'),
} as const satisfies Record<string, ControlSpec>;

const loopIn = { ...button('Starts a loop here'), lit: 'the loop has a start and no end yet' } as const;

const hotCue = {
  ...heldButton(
    'Sets the hot cue if it is empty, else jumps to it; a stopped deck plays from it while held',
    'Ends the preview and returns to the hot cue',
  ),
  lit: 'the hot cue is set',
} as const;

const clearHotCue = button('Clears the hot cue');

/** Controls of a deck, by their name after `deck.<a|b>.`. */
export const deckControls = {
  tempo: continuous('Change of tempo; its position covers the tempo range', 'percent', {
    min: -50,
    max: 100,
    rest: 0,
    step: 0.1,
  }),
  tempo_range: choice(
    'Reach of the tempo fader to either side; it always covers the current tempo',
    tempoRanges.map((percent) => `±${percent} %`),
  ),
  key: continuous('Key shift, in whole semitones', 'semitones', { min: -12, max: 12, rest: 0, step: 1 }),
  jog: continuous('Tempo bend by the rim of the jog wheel; 0 releases it', 'bipolar', {
    min: -1,
    max: 1,
    rest: 0,
    step: 0.5,
  }),
  gain: continuous(
    'Gain before the equaliser',
    'dB',
    { min: deckBounds.gainDb.min, max: deckBounds.gainDb.max, rest: 0, step: 0.5 },
    { taper: 'centred' },
  ),
  eq_low: bipolar('Low band of the equaliser; −1 silences it, 1 is +6 dB'),
  eq_mid: bipolar('Middle band of the equaliser; −1 silences it, 1 is +6 dB'),
  eq_high: bipolar('High band of the equaliser; −1 silences it, 1 is +6 dB'),
  filter: bipolar('Filter: low-pass below 0, high-pass above 0'),
  volume: ratio('Channel fader'),
  loop_length: beatLength('Length of beat loops and rolls, in beats'),
  jump_length: beatLength('Length of beat jumps and loop moves, in beats'),
  play: toggle('Playing'),
  cue: heldButton(
    'Playing: returns to the cue point and stops. Stopped: plays from the cue point while held, or sets it',
    'Ends the preview and returns to the cue point',
  ),
  set_cue: button('Sets the cue point here'),
  jump_to_cue: button('Jumps to the cue point'),
  sync: toggle('Tempo and beats follow the other deck'),
  key_lock: toggle('Key lock: the tempo does not change the key'),
  quantize: toggle('Cues, loops and jumps keep to the beat'),
  slip: toggle('Slip mode: playback continues silently under loops and scratches'),
  loop_in: loopIn,
  ...loopButtons,
  loop_save: button('Stores the loop in the first empty hot cue'),
  beat_loop: button('Loops the loop length from here; the same loop again ends it'),
  loop_roll: {
    ...heldButton(
      'Loops the loop length while held; playback continues silently',
      'Jumps to where playback is by now',
    ),
    lit: 'a roll is active',
  },
  beat_jump_back: button('Jumps back by the jump length'),
  beat_jump_forward: button('Jumps forward by the jump length'),
  nudge_back: heldButton('Slows the deck down by 3 % while held', 'Returns to the tempo'),
  nudge_forward: heldButton('Speeds the deck up by 3 % while held', 'Returns to the tempo'),
  kill_low: toggle('Low band silenced'),
  kill_mid: toggle('Middle band silenced'),
  kill_high: toggle('High band silenced'),
  headphones: toggle('Deck in the headphones'),
  brake: heldButton('Brakes the platter to a stop within the brake time, while held', 'Returns to the tempo'),
  spin_back: heldButton(
    'Spins the platter back, slowing to a stop within the spin-back time, while held',
    'Returns to the tempo',
  ),
  hot_cue_1: hotCue,
  hot_cue_2: hotCue,
  hot_cue_3: hotCue,
  hot_cue_4: hotCue,
  hot_cue_5: hotCue,
  hot_cue_6: hotCue,
  hot_cue_7: hotCue,
  hot_cue_8: hotCue,
  hot_cue_1_clear: clearHotCue,
  hot_cue_2_clear: clearHotCue,
  hot_cue_3_clear: clearHotCue,
  hot_cue_4_clear: clearHotCue,
  hot_cue_5_clear: clearHotCue,
  hot_cue_6_clear: clearHotCue,
  hot_cue_7_clear: clearHotCue,
  hot_cue_8_clear: clearHotCue,
} as const satisfies Record<string, ControlSpec>;

/** Controls of a stem, by their name after `deck.<a|b>.stem.<type>.`; no effect if the deck does not have the stem. */
export const stemControls = {
  volume: ratio('Volume of the stem'),
  loop_length: beatLength("Length of the stem's loop, in beats"),
  mute: toggle('Stem muted'),
  solo: toggle('Stem soloed'),
  loop: toggle("Loop of the stem's loop length from here active"),
  loop_in: loopIn,
  ...loopButtons,
} as const satisfies Record<string, ControlSpec>;

/** Controls of the mixer, by their name after `mixer.`. */
export const mixerControls = {
  crossfader: bipolar('Crossfader; −1 is deck A alone, 1 deck B alone'),
  crossfader_curve: choice('Crossfader curve', crossfaderCurves),
  master_volume: ratio('Volume of the master output'),
  headphone_volume: ratio('Volume of the headphone output', 0.7),
  headphone_mix: bipolar('Headphone mix; −1 is the cued decks alone, 1 the master alone', -1),
  metronome_volume: ratio('Volume of the metronome', 0.5),
  metronome_output: choice('Output of the metronome', ['master', 'headphones']),
  auto_gain: toggle('Auto-gain: tracks are brought to the reference loudness'),
  auto_gain_reference: continuous('Reference loudness of auto-gain', 'LUFS', {
    ...deckBounds.referenceLufs,
    rest: -14,
    step: 0.5,
  }),
  bar_sync: toggle('Sync aligns beats of the bar, not only beats'),
  auto_stems: toggle('Decks load the stems of their track by themselves'),
  brake_time: continuous('Time in which a braked platter stops', 's', {
    ...deckBounds.platterSeconds,
    rest: 1,
    step: 0.1,
  }),
  spin_back_time: continuous('Time in which a platter that was spun back stops', 's', {
    ...deckBounds.platterSeconds,
    rest: 0.7,
    step: 0.1,
  }),
  master_sync: toggle('Deck B follows the tempo of deck A'),
  metronome: toggle('Metronome on'),
  record: toggle('Recording of the master output'),
  deck_a: { ...button('Makes deck A the active deck'), lit: 'deck A is active' },
  deck_b: { ...button('Makes deck B the active deck'), lit: 'deck B is active' },
} as const satisfies Record<string, ControlSpec>;

/**
 * Builds a table with dotted addresses: `addressed(['a', 'b'], () => ({ play }))` has the keys `a.play` and `b.play`.
 *
 * @param rowsOf rows of a key, by name
 */
export function addressed<Key extends string, Name extends string, Row>(
  keys: readonly Key[],
  rowsOf: (key: Key) => Readonly<Record<Name, Row>>,
): Readonly<Record<`${Key}.${Name}`, Row>> {
  const rows = keys.flatMap((key) =>
    Object.entries<Row>(rowsOf(key)).map(([name, row]) => [`${key}.${name}`, row]),
  );
  return Object.fromEntries(rows) as Record<`${Key}.${Name}`, Row>;
}

const allSpecs = {
  ...addressed(['deck'], () =>
    addressed<(typeof deckIds)[number], keyof typeof deckControls | StemAddress | EffectAddress, ControlSpec>(
      deckIds,
      () => ({
        ...deckControls,
        ...addressed(['stem'], () => addressed(stemTypes, () => stemControls)),
        ...addressed(effectSlotNames, () => effectControls),
      }),
    ),
  ),
  ...addressed<'mixer', keyof typeof mixerControls | keyof typeof microphoneControls, ControlSpec>(
    ['mixer'],
    () => ({ ...mixerControls, ...microphoneControls }),
  ),
  ...addressed<'mixer.effect', keyof typeof masterEffectControls, ControlSpec>(
    ['mixer.effect'],
    () => masterEffectControls,
  ),
  ...addressed<'sampler', keyof typeof samplerControls | PadAddress, ControlSpec>(['sampler'], () => ({
    ...samplerControls,
    ...addressed(padNumbers, () => samplerPadControls),
  })),
};

type EffectAddress = `${(typeof effectSlotNames)[number]}.${keyof typeof effectControls}`;

type PadAddress = `${(typeof padNumbers)[number]}.${keyof typeof samplerPadControls}`;

type StemAddress = `stem.${(typeof stemTypes)[number]}.${keyof typeof stemControls}`;

/**
 * Address of a control, such as `deck.a.play`. Screen, keyboard and controllers refer to controls by their address.
 *
 * @spec Deck controls
 */
export type ControlId = keyof typeof allSpecs;

/** Description of every control, by its address. */
export const controlSpecs: Readonly<Record<ControlId, ControlSpec>> = allSpecs;

/** Address of every control. */
export const controlIds = Object.keys(allSpecs) as readonly ControlId[];

/** Returns the range of a continuous control, or null for a toggle or button. */
export function controlRange(id: ControlId): ControlRange | null {
  const spec = controlSpecs[id];
  return spec.kind === 'continuous' ? spec.range : null;
}
