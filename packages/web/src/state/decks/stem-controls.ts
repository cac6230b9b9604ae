import { beatLengths, stemControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { bindControls } from '../controls/bind-controls.ts';
import type { Subscribe } from '../controls/control.ts';
import type { ControlTarget } from './control-target.ts';
import { stemLoopLength } from './stem-loop-length.ts';

/** The controls of a deck's stem; while the deck has no such stem they read 0 and do nothing. */
export function stemControlsOf(
  target: ControlTarget,
  deck: DeckId,
  stem_type: StemType,
  subscribe: Subscribe,
) {
  const { decks, state } = target;
  const now = () => decks.session.getState().decks[deck].stems.find((stem) => stem.stem_type === stem_type);
  const jumpBeats = () => state.getState().lengths[deck].jumpBeats;
  const setStem = (changes: { is_muted: boolean } | { is_soloed: boolean }) =>
    decks.dispatch({ event: 'set_stem', deck, stem_type, changes });
  /** An action that needs the stem. */
  const onStem = (act: () => void) => () => {
    if (now()) act();
  };

  return bindControls(
    stemControls,
    {
      volume: {
        read: () => now()?.volume ?? 0,
        set: (volume) => {
          if (now()) decks.dispatch({ event: 'update_volume', deck, stem_type, volume });
        },
      },
      loop_length: {
        read: () => (now() ? nearestLength(stemLoopLength(target, deck, stem_type)) : 0),
        set: (index) => {
          const stem = now();
          const beats = beatLengths[Math.round(index)] ?? 4;
          if (stem?.loop) decks.resizeLoop(deck, beats, stem_type);
          else if (stem) chooseStemLoopLength(target, deck, stem_type, beats);
        },
      },
      mute: {
        isOn: () => now()?.is_muted === true,
        flip: onStem(() => setStem({ is_muted: !now()?.is_muted })),
      },
      solo: {
        isOn: () => now()?.is_soloed === true,
        flip: onStem(() => setStem({ is_soloed: !now()?.is_soloed })),
      },
      loop: {
        isOn: () => now()?.loop?.active === true,
        flip: onStem(() => {
          if (now()?.loop?.active) decks.toggleLoop(deck, stem_type);
          else decks.beatLoop(deck, stemLoopLength(target, deck, stem_type), stem_type);
        }),
      },
      loop_in: {
        press: onStem(() => decks.loopIn(deck, stem_type)),
        isLit: () => now() !== undefined && decks.local.getState()[deck].stemLoopIns[stem_type] !== undefined,
      },
      loop_out: { press: onStem(() => decks.loopOut(deck, stem_type)) },
      loop_toggle: {
        isOn: () => now()?.loop?.active === true,
        flip: onStem(() => decks.toggleLoop(deck, stem_type)),
      },
      loop_halve: { press: onStem(() => decks.halveLoop(deck, stem_type)) },
      loop_double: { press: onStem(() => decks.doubleLoop(deck, stem_type)) },
      loop_move_back: { press: onStem(() => decks.moveLoop(deck, -jumpBeats(), stem_type)) },
      loop_move_forward: { press: onStem(() => decks.moveLoop(deck, jumpBeats(), stem_type)) },
    },
    subscribe,
  );
}

/** Remembers the length of the loops that a stem is going to get. */
function chooseStemLoopLength(
  { state }: ControlTarget,
  deck: DeckId,
  stem_type: StemType,
  beats: number,
): void {
  const { stemLoopBeats } = state.getState();
  state.setState({
    stemLoopBeats: { ...stemLoopBeats, [deck]: { ...stemLoopBeats[deck], [stem_type]: beats } },
  });
}

/** Index of the listed length that is nearest by its ratio: a loop between two beats may last 3.5 of them. */
function nearestLength(beats: number): number {
  const distances = beatLengths.map((length) => Math.abs(Math.log2(length / beats)));
  return distances.indexOf(Math.min(...distances));
}
