import { beatLengths, deckControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type DeckState, type DeckStrip, tempoRanges } from '@stem-studio/contract/resources/deck-session';
import {
  bindControls,
  type ContinuousBinding,
  createMomentaryValue,
  type ToggleBinding,
} from '../controls/bind-controls.ts';
import type { Subscribe } from '../controls/control.ts';
import type { ControlTarget } from './control-target.ts';
import type { DeckLengths } from './dj-state.ts';

/** Change of the tempo by a fully turned jog wheel, as a part of it. */
const JOG_BEND = 0.08;
/** Change of the tempo by a nudge button, as a part of it. */
const NUDGE_BEND = 0.03;

/** The controls of a deck; those of its stems are in {@link stemControlsOf}. */
export function deckControlsOf({ decks, state }: ControlTarget, deck: DeckId, subscribe: Subscribe) {
  const now = () => decks.session.getState().decks[deck];
  const local = () => decks.local.getState()[deck];
  const loopBeats = () => state.getState().lengths[deck].loopBeats;
  const jumpBeats = () => state.getState().lengths[deck].jumpBeats;
  type Changes = Partial<Pick<DeckState, 'tempo_range' | 'is_key_locked' | 'key_semitones' | 'is_quantized'>>;
  const setDeck = (changes: Changes) => decks.dispatch({ event: 'set_deck', deck, changes });
  const setStrip = (changes: Partial<DeckStrip>) => decks.dispatch({ event: 'set_strip', deck, changes });

  const stripValue = (
    field: 'gain_db' | 'eq_low' | 'eq_mid' | 'eq_high' | 'filter' | 'volume',
  ): ContinuousBinding => ({
    read: () => now().strip[field],
    set: (value) => setStrip({ [field]: value }),
  });
  const stripSwitch = (field: 'kill_low' | 'kill_mid' | 'kill_high' | 'is_cued'): ToggleBinding => ({
    isOn: () => now().strip[field],
    flip: () => setStrip({ [field]: !now().strip[field] }),
  });
  const length = (field: keyof DeckLengths): ContinuousBinding => ({
    read: () => beatLengths.findIndex((beats) => beats === state.getState().lengths[deck][field]),
    set: (index) => {
      const beats = beatLengths[Math.round(index)] ?? 4;
      const { lengths } = state.getState();
      state.setState({ lengths: { ...lengths, [deck]: { ...lengths[deck], [field]: beats } } });
    },
  });
  const nudge = (bend: number) => ({
    press: () => decks.nudge(deck, 1 + bend),
    release: () => decks.nudge(deck, null),
  });
  const platterRamp = (motion: 'brake' | 'spin_back') => ({
    press: () => decks.stopPlatter(deck, motion),
    release: () => decks.scratch(deck, null),
  });
  const hotCue = (slot: number) => ({
    press: () => decks.pressHotCue(deck, slot),
    release: () => decks.releaseHotCue(deck, slot),
    isLit: () => now().hot_cues.some((cue) => cue.slot === slot),
  });
  const clearHotCue = (slot: number) => ({ press: () => decks.deleteHotCue(deck, slot) });
  const jog = createMomentaryValue();

  return bindControls(
    deckControls,
    {
      tempo: {
        read: () => now().tempo_percent,
        set: (percent) => decks.setTempo(deck, percent),
        travel: () => ({ min: -now().tempo_range, max: now().tempo_range }),
      },
      tempo_range: {
        read: () => tempoRanges.indexOf(now().tempo_range),
        set: (index) => setDeck({ tempo_range: tempoRanges[Math.round(index)] ?? tempoRanges[0] }),
      },
      key: {
        read: () => now().key_semitones,
        set: (semitones) => setDeck({ key_semitones: Math.round(semitones) }),
      },
      jog: {
        ...jog,
        set: (bend) => {
          decks.nudge(deck, bend === 0 ? null : 1 + bend * JOG_BEND);
          jog.set(bend);
        },
      },
      gain: stripValue('gain_db'),
      eq_low: stripValue('eq_low'),
      eq_mid: stripValue('eq_mid'),
      eq_high: stripValue('eq_high'),
      filter: stripValue('filter'),
      volume: stripValue('volume'),
      loop_length: length('loopBeats'),
      jump_length: length('jumpBeats'),
      play: { isOn: () => now().is_playing, flip: () => decks.togglePlay(deck) },
      cue: { press: () => decks.pressCue(deck), release: () => decks.releaseCue(deck) },
      set_cue: { press: () => decks.setCueHere(deck) },
      jump_to_cue: { press: () => decks.dispatch({ event: 'jump_to_cue', deck }) },
      sync: { isOn: () => now().is_synced, flip: () => decks.sync(deck) },
      key_lock: {
        isOn: () => now().is_key_locked,
        flip: () => setDeck({ is_key_locked: !now().is_key_locked }),
      },
      quantize: {
        isOn: () => now().is_quantized,
        flip: () => setDeck({ is_quantized: !now().is_quantized }),
      },
      slip: { isOn: () => now().is_slipping, flip: () => decks.toggleSlip(deck) },
      loop_in: { press: () => decks.loopIn(deck), isLit: () => local().loopInSeconds !== null },
      loop_out: { press: () => decks.loopOut(deck) },
      loop_toggle: { isOn: () => now().loop?.active === true, flip: () => decks.toggleLoop(deck) },
      loop_halve: { press: () => decks.halveLoop(deck) },
      loop_double: { press: () => decks.doubleLoop(deck) },
      loop_move_back: { press: () => decks.moveLoop(deck, -jumpBeats()) },
      loop_move_forward: { press: () => decks.moveLoop(deck, jumpBeats()) },
      loop_save: { press: () => decks.saveLoop(deck) },
      beat_loop: { press: () => decks.beatLoop(deck, loopBeats()) },
      loop_roll: {
        press: () => decks.rollStart(deck, loopBeats()),
        release: () => decks.rollEnd(deck),
        isLit: () => local().isRolling,
      },
      beat_jump_back: { press: () => decks.beatJump(deck, -jumpBeats()) },
      beat_jump_forward: { press: () => decks.beatJump(deck, jumpBeats()) },
      nudge_back: nudge(-NUDGE_BEND),
      nudge_forward: nudge(NUDGE_BEND),
      brake: platterRamp('brake'),
      spin_back: platterRamp('spin_back'),
      kill_low: stripSwitch('kill_low'),
      kill_mid: stripSwitch('kill_mid'),
      kill_high: stripSwitch('kill_high'),
      headphones: stripSwitch('is_cued'),
      hot_cue_1: hotCue(0),
      hot_cue_2: hotCue(1),
      hot_cue_3: hotCue(2),
      hot_cue_4: hotCue(3),
      hot_cue_5: hotCue(4),
      hot_cue_6: hotCue(5),
      hot_cue_7: hotCue(6),
      hot_cue_8: hotCue(7),
      hot_cue_1_clear: clearHotCue(0),
      hot_cue_2_clear: clearHotCue(1),
      hot_cue_3_clear: clearHotCue(2),
      hot_cue_4_clear: clearHotCue(3),
      hot_cue_5_clear: clearHotCue(4),
      hot_cue_6_clear: clearHotCue(5),
      hot_cue_7_clear: clearHotCue(6),
      hot_cue_8_clear: clearHotCue(7),
    },
    subscribe,
  );
}
