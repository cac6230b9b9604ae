import { beatLengths, type StemControl } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Desk } from './control-target.ts';
import { stemLoopLength } from './stem-loop-length.ts';

/** Sets a control of a stem, as {@link setControl} does; of one that is not on the deck nothing happens. */
export function setStemControl(
  desk: Desk,
  deck: DeckId,
  stem_type: StemType,
  control: StemControl,
  value: number,
): void {
  const { decks, state } = desk;
  const stem = decks.session.getState().decks[deck].stems.find((one) => one.stem_type === stem_type);
  if (!stem) return;
  if (control === 'volume') return decks.dispatch({ event: 'update_volume', deck, stem_type, volume: value });
  if (control === 'loop_length') {
    const beats = beatLengths[Math.round(value)] ?? 4;
    if (stem.loop) return decks.resizeLoop(deck, beats, stem_type);
    const { stemLoopBeats } = state.getState();
    const ofDeck = { ...stemLoopBeats[deck], [stem_type]: beats };
    return state.setState({ stemLoopBeats: { ...stemLoopBeats, [deck]: ofDeck } });
  }
  if (value <= 0) return;
  const { jumpBeats } = state.getState().lengths[deck];
  switch (control) {
    case 'mute':
      return decks.dispatch({ event: 'set_stem', deck, stem_type, changes: { is_muted: !stem.is_muted } });
    case 'solo':
      return decks.dispatch({ event: 'set_stem', deck, stem_type, changes: { is_soloed: !stem.is_soloed } });
    case 'loop':
      if (stem.loop?.active) return decks.toggleLoop(deck, stem_type);
      return decks.beatLoop(deck, stemLoopLength(desk, deck, stem_type), stem_type);
    case 'loop_in':
      return decks.loopIn(deck, stem_type);
    case 'loop_out':
      return decks.loopOut(deck, stem_type);
    case 'loop_toggle':
      return decks.toggleLoop(deck, stem_type);
    case 'loop_halve':
      return decks.halveLoop(deck, stem_type);
    case 'loop_double':
      return decks.doubleLoop(deck, stem_type);
    case 'loop_move_back':
      return decks.moveLoop(deck, -jumpBeats, stem_type);
    case 'loop_move_forward':
      return decks.moveLoop(deck, jumpBeats, stem_type);
  }
}
