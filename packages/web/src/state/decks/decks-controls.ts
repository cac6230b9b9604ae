import { addressed } from '@stem-studio/contract/controls';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { stemTypes } from '@stem-studio/contract/resources/stem';
import { subscribeAll } from '../controls/bind-controls.ts';
import type { Control, ControlTable } from '../controls/control.ts';
import type { MicrophoneBoard } from '../microphone/microphone-board.ts';
import { microphoneControlsOf } from '../microphone/microphone-controls.ts';
import type { SamplerBoard } from '../sampler/sampler-board.ts';
import { samplerControlsOf } from '../sampler/sampler-controls.ts';
import type { ControlTarget } from './control-target.ts';
import { deckControlsOf } from './deck-controls.ts';
import { effectControlsOf, masterEffectControlsOf } from './effect-controls.ts';
import { mixerControlsOf } from './mixer-controls.ts';
import { stemControlsOf } from './stem-controls.ts';

/** Parts of the DJ engine beside the decks that have controls. */
export interface ControlledParts {
  readonly sampler: SamplerBoard;
  readonly microphone: MicrophoneBoard;
}

/** The controls of both decks, their stems and effects, of the mixer and of the sampler, by address. */
export function createDecksControls(
  target: ControlTarget,
  { sampler, microphone }: ControlledParts,
): ControlTable {
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
    ...addressed(['mixer'], () => ({ ...mixer, ...microphoneControlsOf(microphone) })),
    ...addressed(['mixer.effect'], () => masterEffectControlsOf(target, changes)),
    ...addressed(['sampler'], () => samplerControlsOf(sampler)),
  };
}
