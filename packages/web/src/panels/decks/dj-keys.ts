import { type ControlId, deckControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { padNumbers } from '@stem-studio/contract/sampler-controls';

/** Action of a key of the decks; `isHeld` keeps the control pressed until the key is released. */
export type DjKeyAction =
  | { do: 'press'; control: ControlId; isHeld: boolean }
  | { do: 'move'; control: ControlId; by: number }
  | { do: 'zoom'; notches: number }
  | { do: 'list-keys' };

/** The relevant part of a key press. */
export interface DjKeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The keys of the decks, as the list of keys shows them. */
export const djKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Space', does: 'Play or pause the active deck' },
  { keys: '1, 2', does: 'Make deck A or B the active one' },
  { keys: 'Q', does: 'Set the cue here' },
  { keys: 'W', does: 'Jump to the cue' },
  { keys: 'A, S', does: 'Crossfader left or right' },
  { keys: 'E', does: 'Sync on or off' },
  { keys: 'D, F', does: 'Slower or faster, while held' },
  { keys: '−, =', does: 'Tempo 0.1 % down or up' },
  { keys: 'Z X C V B N M ,', does: 'Hot cues 1 to 8: set, jump there, or hear while held' },
  { keys: 'Shift + Z … ,', does: 'Clear the hot cue' },
  { keys: 'I, O, L', does: 'Loop in, loop out, toggle loop' },
  { keys: 'K', does: 'Beat loop' },
  { keys: 'R', does: 'Loop roll while held' },
  { keys: '. and Shift + .', does: 'Vinyl brake or spin-back, while held' },
  { keys: '[, ]', does: 'Halve or double the loop' },
  { keys: '← →', does: 'Beat jump back or forward' },
  { keys: 'T, Y, U', does: 'Key lock, slip, quantize' },
  { keys: 'H', does: 'Headphones' },
  { keys: 'G', does: 'Metronome' },
  { keys: 'J, Shift + J', does: 'Effect 1 or 2 on or off' },
  { keys: "; and '", does: 'Macro of effect 1 down or up; with Shift of effect 2' },
  { keys: 'P', does: 'Effect on the master on or off' },
  { keys: '3 … 9, 0', does: 'Pads 1 to 8 of the sampler' },
  { keys: 'Shift + P', does: 'Microphone' },
  { keys: 'Shift + ↑ ↓', does: 'Zoom the waveforms in or out' },
  { keys: '?', does: 'Keyboard shortcuts' },
];

/** Keys of the sampler's pads, the first pad first. */
export const padKeys: readonly string[] = ['3', '4', '5', '6', '7', '8', '9', '0'];

/** Distance that A or S moves the crossfader. */
const CROSSFADE_STEP = 0.1;

/** Distance that a key moves the macro of an effect. */
const MACRO_STEP = 0.1;

/** A control of a deck, by its name. */
type DeckControl = keyof typeof deckControls;

/** Keys that press a control of the active deck. */
const buttonKeys: Readonly<Record<string, DeckControl>> = {
  ' ': 'play',
  q: 'set_cue',
  w: 'jump_to_cue',
  e: 'sync',
  i: 'loop_in',
  o: 'loop_out',
  l: 'loop_toggle',
  k: 'beat_loop',
  '[': 'loop_halve',
  ']': 'loop_double',
  ArrowLeft: 'beat_jump_back',
  ArrowRight: 'beat_jump_forward',
  t: 'key_lock',
  y: 'slip',
  u: 'quantize',
  h: 'headphones',
};

/** Keys that hold a control of the active deck, and what they press instead with Shift. */
const holds: Readonly<Record<string, { held: DeckControl; shifted?: DeckControl }>> = {
  d: { held: 'nudge_back' },
  f: { held: 'nudge_forward' },
  r: { held: 'loop_roll' },
  // A full stop with Shift is `>` on keyboards of the US layout.
  '>': { held: 'spin_back' },
  z: { held: 'hot_cue_1', shifted: 'hot_cue_1_clear' },
  x: { held: 'hot_cue_2', shifted: 'hot_cue_2_clear' },
  c: { held: 'hot_cue_3', shifted: 'hot_cue_3_clear' },
  v: { held: 'hot_cue_4', shifted: 'hot_cue_4_clear' },
  b: { held: 'hot_cue_5', shifted: 'hot_cue_5_clear' },
  n: { held: 'hot_cue_6', shifted: 'hot_cue_6_clear' },
  m: { held: 'hot_cue_7', shifted: 'hot_cue_7_clear' },
  ',': { held: 'hot_cue_8', shifted: 'hot_cue_8_clear' },
  // A comma with Shift, on keyboards of the US layout.
  '<': { held: 'hot_cue_8', shifted: 'hot_cue_8_clear' },
};

/** Action of a key press while `active` is the active deck; null for keys that the decks do not use. */
export function djActionOfKey(press: DjKeyPress, active: DeckId): DjKeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const pad = padNumbers[padKeys.indexOf(key)];
  if (pad) return { do: 'press', control: `sampler.${pad}.trigger`, isHeld: true };
  const pressed = buttonKeys[key];
  if (pressed) return once(`deck.${active}.${pressed}`);
  if (key === '.')
    return { do: 'press', control: `deck.${active}.${press.shiftKey ? 'spin_back' : 'brake'}`, isHeld: true };
  const hold = holds[key];
  if (hold?.shifted && press.shiftKey) return once(`deck.${active}.${hold.shifted}`);
  if (hold) return { do: 'press', control: `deck.${active}.${hold.held}`, isHeld: true };
  switch (key) {
    case '1':
      return once('mixer.deck_a');
    case '2':
      return once('mixer.deck_b');
    case 'a':
      return { do: 'move', control: 'mixer.crossfader', by: -CROSSFADE_STEP };
    case 's':
      return { do: 'move', control: 'mixer.crossfader', by: CROSSFADE_STEP };
    case '-':
      return { do: 'move', control: `deck.${active}.tempo`, by: -deckControls.tempo.range.step };
    case '=':
    case '+':
      return { do: 'move', control: `deck.${active}.tempo`, by: deckControls.tempo.range.step };
    case 'g':
      return once('mixer.metronome');
    case 'p':
      return once(press.shiftKey ? 'mixer.microphone' : 'mixer.effect.on');
    case 'j':
      return once(`deck.${active}.effect_${press.shiftKey ? 2 : 1}.on`);
    case ';':
      return { do: 'move', control: `deck.${active}.effect_1.macro`, by: -MACRO_STEP };
    case "'":
      return { do: 'move', control: `deck.${active}.effect_1.macro`, by: MACRO_STEP };
    case ':':
      return { do: 'move', control: `deck.${active}.effect_2.macro`, by: -MACRO_STEP };
    case '"':
      return { do: 'move', control: `deck.${active}.effect_2.macro`, by: MACRO_STEP };
    case 'ArrowUp':
      return press.shiftKey ? { do: 'zoom', notches: -1 } : null;
    case 'ArrowDown':
      return press.shiftKey ? { do: 'zoom', notches: 1 } : null;
    case '?':
      return { do: 'list-keys' };
    default:
      return null;
  }
}

function once(control: ControlId): DjKeyAction {
  return { do: 'press', control, isHeld: false };
}
