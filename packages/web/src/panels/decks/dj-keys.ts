import { type ControlId, controlRange, type DeckPress, hotCuePads } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';

/** What a key of the decks does. */
export type DjKeyAction =
  | { do: 'press'; control: ControlId; isHeld: boolean }
  | { do: 'move'; control: ControlId; by: number }
  | { do: 'zoom'; notches: number }
  | { do: 'list-keys' };

/** The part of a key press that counts. */
export interface DjKeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The keys of the decks and what they do, as the list of keys shows them. */
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
  { keys: 'Shift + Z … ,', does: 'Clear that hot cue' },
  { keys: 'I, O, L', does: 'Loop in, loop out, loop on or off' },
  { keys: 'K', does: 'Loop of the chosen length' },
  { keys: 'R', does: 'Roll of the chosen length, while held' },
  { keys: '[, ]', does: 'Loop half or twice as long' },
  { keys: '← →', does: 'Jump back or forward by the chosen length' },
  { keys: 'T, Y, U', does: 'Key lock, slip, quantize' },
  { keys: 'H', does: 'Headphones' },
  { keys: 'G', does: 'Metronome' },
  { keys: 'Shift + ↑ ↓', does: 'See the waveforms closer, or more of them' },
  { keys: '?', does: 'This list' },
];

/** How far one press of A or S moves the crossfader. */
const CROSSFADE_STEP = 0.1;

/** Keys of hot cues 1 to 8, with and without Shift. */
const padKeys: readonly string[] = ['z', 'x', 'c', 'v', 'b', 'n', 'm', ','];
const shiftedComma = '<';

const presses: Readonly<Record<string, DeckPress>> = {
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

const holds: Readonly<Record<string, DeckPress>> = { d: 'nudge_back', f: 'nudge_forward', r: 'loop_roll' };

/** What a key press means while `active` is the active deck; null for every other key. */
export function djActionOfKey(press: DjKeyPress, active: DeckId): DjKeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const pad = key === shiftedComma ? hotCuePads - 1 : padKeys.indexOf(key);
  if (pad >= 0) {
    const control = `deck.${active}.hot_cue_${pad + 1}` as ControlId;
    if (press.shiftKey) return once(`${control}_clear` as ControlId);
    return { do: 'press', control, isHeld: true };
  }
  const control = presses[key];
  if (control) return once(`deck.${active}.${control}`);
  const hold = holds[key];
  if (hold) return { do: 'press', control: `deck.${active}.${hold}`, isHeld: true };
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
    case '=':
    case '+': {
      const control = `deck.${active}.tempo` as const;
      const step = controlRange(control)?.step ?? 0;
      return { do: 'move', control, by: key === '-' ? -step : step };
    }
    case 'g':
      return once('mixer.metronome');
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
