import {
  beatLengths,
  type ControlId,
  controlRange,
  type DeckPress,
  type DeckTurn,
  deckTurns,
  type MixerPress,
  type MixerTurn,
  type StemControl,
} from '@stem-studio/contract/controls';
import { crossfaderCurves, type DeckId, type DeckStrip } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Desk } from './control-target.ts';
import { toggleRecording } from './recording.ts';
import { setStemControl } from './set-stem-control.ts';

/** How much faster or slower a fully pushed jog wheel, or a nudge button, makes a deck. */
const JOG_BEND = 0.08;
const NUDGE_BEND = 0.03;

/**
 * Sets a control, whoever moves it: what is turned to `value` in its own unit (bounded by its range), what is pressed by
 * 1 and let go by 0. A press on a switch turns it over.
 */
export function setControl(desk: Desk, id: ControlId, value: number): void {
  const range = controlRange(id);
  const bounded = range ? Math.min(range.max, Math.max(range.min, value)) : value;
  if (Number.isNaN(bounded)) return;
  const [room = '', name = '', control = '', part = ''] = id.split('.');
  if (room === 'mixer') setMixerControl(desk, name as MixerTurn | MixerPress, bounded);
  else if (control === 'stem')
    setStemControl(desk, name as DeckId, part as StemType, id.split('.')[4] as StemControl, bounded);
  else if (control in deckTurns) turn(desk, name as DeckId, control as DeckTurn, bounded);
  else if (bounded > 0) press(desk, name as DeckId, control as DeckPress);
  else release(desk, name as DeckId, control as DeckPress);
}

function turn({ decks, state }: Desk, deck: DeckId, control: DeckTurn, value: number): void {
  const strip = (changes: Partial<DeckStrip>) => decks.dispatch({ event: 'set_strip', deck, changes });
  switch (control) {
    case 'tempo':
      return decks.setTempo(deck, value);
    case 'key':
      return decks.dispatch({ event: 'set_deck', deck, changes: { key_semitones: Math.round(value) } });
    case 'jog':
      return decks.nudge(deck, value === 0 ? null : 1 + value * JOG_BEND);
    case 'gain':
      return strip({ gain_db: value });
    case 'eq_low':
    case 'eq_mid':
    case 'eq_high':
    case 'filter':
    case 'volume':
      return strip({ [control]: value });
    case 'loop_length':
    case 'jump_length': {
      const beats = beatLengths[Math.round(value)] ?? 4;
      const { lengths } = state.getState();
      const changed = control === 'loop_length' ? { loopBeats: beats } : { jumpBeats: beats };
      return state.setState({ lengths: { ...lengths, [deck]: { ...lengths[deck], ...changed } } });
    }
  }
}

function press(desk: Desk, deck: DeckId, control: DeckPress): void {
  const { decks, state } = desk;
  const now = decks.session.getState().decks[deck];
  const { loopBeats, jumpBeats } = state.getState().lengths[deck];
  const pad = /^hot_cue_(\d)(_clear)?$/.exec(control);
  if (pad) {
    const slot = Number(pad[1]) - 1;
    return pad[2] ? decks.deleteHotCue(deck, slot) : decks.pressHotCue(deck, slot);
  }
  switch (control) {
    case 'play':
      return decks.togglePlay(deck);
    case 'cue':
      return decks.pressCue(deck);
    case 'set_cue':
      return decks.setCueHere(deck);
    case 'jump_to_cue':
      return decks.dispatch({ event: 'jump_to_cue', deck });
    case 'sync':
      return decks.sync(deck);
    case 'key_lock':
      return decks.dispatch({ event: 'set_deck', deck, changes: { is_key_locked: !now.is_key_locked } });
    case 'quantize':
      return decks.dispatch({ event: 'set_deck', deck, changes: { is_quantized: !now.is_quantized } });
    case 'slip':
      return decks.toggleSlip(deck);
    case 'loop_in':
      return decks.loopIn(deck);
    case 'loop_out':
      return decks.loopOut(deck);
    case 'loop_toggle':
      return decks.toggleLoop(deck);
    case 'loop_halve':
      return decks.halveLoop(deck);
    case 'loop_double':
      return decks.doubleLoop(deck);
    case 'loop_move_back':
      return decks.moveLoop(deck, -jumpBeats);
    case 'loop_move_forward':
      return decks.moveLoop(deck, jumpBeats);
    case 'loop_save':
      return decks.saveLoop(deck);
    case 'beat_loop':
      return decks.beatLoop(deck, loopBeats);
    case 'loop_roll':
      return decks.rollStart(deck, loopBeats);
    case 'beat_jump_back':
      return decks.beatJump(deck, -jumpBeats);
    case 'beat_jump_forward':
      return decks.beatJump(deck, jumpBeats);
    case 'nudge_back':
      return decks.nudge(deck, 1 - NUDGE_BEND);
    case 'nudge_forward':
      return decks.nudge(deck, 1 + NUDGE_BEND);
    case 'kill_low':
    case 'kill_mid':
    case 'kill_high':
      return decks.dispatch({ event: 'set_strip', deck, changes: { [control]: !now.strip[control] } });
    case 'headphones':
      return decks.dispatch({ event: 'set_strip', deck, changes: { is_cued: !now.strip.is_cued } });
    default:
      return undefined;
  }
}

/** What acts for as long as it is held. */
function release({ decks }: Desk, deck: DeckId, control: DeckPress): void {
  const pad = /^hot_cue_(\d)$/.exec(control);
  if (pad) decks.releaseHotCue(deck, Number(pad[1]) - 1);
  else if (control === 'cue') decks.releaseCue(deck);
  else if (control === 'loop_roll') decks.rollEnd(deck);
  else if (control === 'nudge_back' || control === 'nudge_forward') decks.nudge(deck, null);
}

function setMixerControl(desk: Desk, control: MixerTurn | MixerPress, value: number): void {
  const { decks } = desk;
  const { mixer } = decks.session.getState();
  const set = (changes: Partial<typeof mixer>) => decks.dispatch({ event: 'set_mixer', changes });
  switch (control) {
    case 'crossfader':
    case 'master_volume':
    case 'headphone_volume':
    case 'headphone_mix':
    case 'metronome_volume':
      return set({ [control]: value });
    case 'crossfader_curve':
      return set({ crossfader_curve: crossfaderCurves[Math.round(value)] ?? 'linear' });
  }
  if (value <= 0) return;
  if (control === 'master_sync') set({ is_master_synced: !mixer.is_master_synced });
  else if (control === 'metronome') set({ is_metronome_on: !mixer.is_metronome_on });
  else if (control === 'record') toggleRecording(desk);
  else set({ active_deck: control === 'deck_a' ? 'a' : 'b' });
}
