import { deckBounds } from './limits.ts';
import { crossfaderCurves, type DeckId, deckIds } from './resources/deck-session.ts';
import { type StemType, stemTypes } from './resources/stem.ts';

/**
 * How far what is turned or slid can go, in its own unit, and where it rests. `step` is what one press of an arrow key
 * moves it by, or one notch of a wheel.
 */
export interface ControlRange {
  readonly min: number;
  readonly max: number;
  readonly rest: number;
  readonly step: number;
}

const knob: ControlRange = { min: -1, max: 1, rest: 0, step: 0.05 };
const fader: ControlRange = { min: 0, max: 1, rest: 1, step: 0.05 };

/** How many hot cues of a deck have a control of their own. */
export const hotCuePads = 8;

/** Lengths that loops and jumps can be set to, in beats. */
export const beatLengths = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64] as const;

/** What of a deck can be turned or slid. */
export const deckTurns = {
  /** Percent; the deck's own range bounds it further. */
  tempo: { min: -50, max: 100, rest: 0, step: 0.1 },
  /** Whole semitones. */
  key: { min: -12, max: 12, rest: 0, step: 1 },
  /** How hard the jog wheel is pushed, 1 forwards; 0 lets it go. */
  jog: { min: -1, max: 1, rest: 0, step: 0.5 },
  /** Decibels. */
  gain: { min: deckBounds.gainDb.min, max: deckBounds.gainDb.max, rest: 0, step: 0.5 },
  eq_low: knob,
  eq_mid: knob,
  eq_high: knob,
  filter: knob,
  volume: fader,
  /** Places in {@link beatLengths}. */
  loop_length: { min: 0, max: beatLengths.length - 1, rest: 7, step: 1 },
  jump_length: { min: 0, max: beatLengths.length - 1, rest: 7, step: 1 },
} as const satisfies Record<string, ControlRange>;

/** What of a loop can be pressed, whether the deck goes round in it or one of its stems. */
const loopPresses = [
  'loop_in',
  'loop_out',
  'loop_toggle',
  'loop_halve',
  'loop_double',
  'loop_move_back',
  'loop_move_forward',
] as const;

/** What of a deck is pressed: 1 is down, 0 is up. Most act when they go down. */
export const deckPresses = [
  'play',
  'cue',
  'set_cue',
  'jump_to_cue',
  'sync',
  'key_lock',
  'quantize',
  'slip',
  ...loopPresses,
  'loop_save',
  'beat_loop',
  'loop_roll',
  'beat_jump_back',
  'beat_jump_forward',
  'nudge_back',
  'nudge_forward',
  'kill_low',
  'kill_mid',
  'kill_high',
  'headphones',
  'hot_cue_1',
  'hot_cue_2',
  'hot_cue_3',
  'hot_cue_4',
  'hot_cue_5',
  'hot_cue_6',
  'hot_cue_7',
  'hot_cue_8',
  'hot_cue_1_clear',
  'hot_cue_2_clear',
  'hot_cue_3_clear',
  'hot_cue_4_clear',
  'hot_cue_5_clear',
  'hot_cue_6_clear',
  'hot_cue_7_clear',
  'hot_cue_8_clear',
] as const;

/** What of a deck's stem can be moved. */
const stemTurns = {
  volume: fader,
  /** Place in {@link beatLengths}. */
  loop_length: deckTurns.loop_length,
} as const satisfies Record<string, ControlRange>;

/** What of a deck's stem can be pressed. */
const stemPresses = [
  'mute',
  'solo',
  /** A loop of the stem's length from here; the same again ends it. */
  'loop',
  ...loopPresses,
] as const;

/** What both decks share and is turned or slid. */
export const mixerTurns = {
  crossfader: knob,
  /** Place in the list of curves. */
  crossfader_curve: { min: 0, max: crossfaderCurves.length - 1, rest: 0, step: 1 },
  master_volume: fader,
  headphone_volume: { ...fader, rest: 0.7 },
  headphone_mix: { ...knob, rest: -1 },
  metronome_volume: { ...fader, rest: 0.5 },
} as const satisfies Record<string, ControlRange>;

/** What both decks share and is pressed. */
export const mixerPresses = ['master_sync', 'metronome', 'record', 'deck_a', 'deck_b'] as const;

/** Something of a deck that is turned or slid. */
export type DeckTurn = keyof typeof deckTurns;
/** Something of a deck that is pressed. */
export type DeckPress = (typeof deckPresses)[number];
/** Something of a stem that is moved or pressed. */
export type StemControl = keyof typeof stemTurns | (typeof stemPresses)[number];

/** Everything of a stem that can be moved or pressed. */
const stemControls: readonly StemControl[] = [
  ...(Object.keys(stemTurns) as (keyof typeof stemTurns)[]),
  ...stemPresses,
];

/** Something both decks share that is turned or slid. */
export type MixerTurn = keyof typeof mixerTurns;
/** Something both decks share that is pressed. */
export type MixerPress = (typeof mixerPresses)[number];

/**
 * The address of a control. Screen, keyboard and whatever else can move one name it so, and all of them do the same by
 * it.
 *
 * @spec Deck controls
 */
export type ControlId =
  | `deck.${DeckId}.${DeckTurn | DeckPress}`
  | `deck.${DeckId}.stem.${StemType}.${StemControl}`
  | `mixer.${MixerTurn | MixerPress}`;

/** Every address there is. */
export const controlIds: readonly ControlId[] = [
  ...deckIds.flatMap((deck) => [
    ...(Object.keys(deckTurns) as DeckTurn[]).map((control) => `deck.${deck}.${control}` as const),
    ...deckPresses.map((control) => `deck.${deck}.${control}` as const),
    ...stemTypes.flatMap((stem) =>
      stemControls.map((control) => `deck.${deck}.stem.${stem}.${control}` as const),
    ),
  ]),
  ...(Object.keys(mixerTurns) as MixerTurn[]).map((control) => `mixer.${control}` as const),
  ...mixerPresses.map((control) => `mixer.${control}` as const),
];

/** How far a control goes that is turned or slid; null for one that is pressed. */
export function controlRange(id: ControlId): ControlRange | null {
  const [room, , ...rest] = id.split('.');
  if (room === 'mixer') return rangeNamed(mixerTurns, id.slice('mixer.'.length));
  const name = rest.join('.');
  return name.startsWith('stem.')
    ? rangeNamed(stemTurns, name.slice(name.lastIndexOf('.') + 1))
    : rangeNamed(deckTurns, name);
}

function rangeNamed(ranges: Readonly<Record<string, ControlRange>>, name: string): ControlRange | null {
  return ranges[name] ?? null;
}
