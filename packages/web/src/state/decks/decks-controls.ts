import { addressed } from '@stem-studio/contract/controls';
import { deckIds } from '@stem-studio/contract/resources/deck-session';
import { stemTypes } from '@stem-studio/contract/resources/stem';
import { subscribeAll } from '../controls/bind-controls.ts';
import type { Control, ControlTable } from '../controls/control.ts';
import type { ControlTarget } from './control-target.ts';
import { deckControlsOf } from './deck-controls.ts';
import { effectControlsOf, masterEffectControlsOf } from './effect-controls.ts';
import { mixerControlsOf } from './mixer-controls.ts';
import { stemControlsOf } from './stem-controls.ts';

/** The controls of both decks, their stems and effects, and of the mixer, by address. */
export function createDecksControls(target: ControlTarget): ControlTable {
  const { decks, state } = target;
  const changes = subscribeAll([decks.session.subscribe, decks.local.subscribe, state.subscribe]);
  const mixer: Readonly<Record<keyof ReturnType<typeof mixerControlsOf>, Control>> = mixerControlsOf(
    target,
    changes,
  );
  return {
    ...addressed(['deck'], () =>
      addressed(deckIds, (deck) => ({
        ...deckControlsOf(target, deck, changes),
        ...addressed(['stem'], () =>
          addressed(stemTypes, (stem) => stemControlsOf(target, deck, stem, changes)),
        ),
        ...addressed(['effect_1'], () => effectControlsOf(target, deck, 0, changes)),
        ...addressed(['effect_2'], () => effectControlsOf(target, deck, 1, changes)),
      })),
    ),
    ...addressed(['mixer'], () => mixer),
    ...addressed(['mixer.effect'], () => masterEffectControlsOf(target, changes)),
  };
}
