import { addressed } from '@stem-studio/contract/controls';
import { padNumbers, samplerControls, samplerPadControls } from '@stem-studio/contract/sampler-controls';
import { bindControls } from '../controls/bind-controls.ts';
import type { Subscribe } from '../controls/control.ts';
import type { SamplerBoard } from './sampler-board.ts';

/** The controls of the sampler and its pads, by their address after `sampler.`. */
export function samplerControlsOf(board: SamplerBoard) {
  const subscribe: Subscribe = (listener) => board.state.subscribe(() => listener());
  const now = () => board.state.getState();
  return {
    ...bindControls(
      samplerControls,
      {
        volume: { read: () => now().volume, set: (value) => board.setVolume(value) },
        headphones: { isOn: () => now().isCued, flip: () => board.setCued(!now().isCued) },
        stop: { press: () => board.stop(null) },
      },
      subscribe,
    ),
    ...addressed(padNumbers, (number) => {
      const pad = Number(number) - 1;
      const view = () => now().pads[pad];
      return bindControls(
        samplerPadControls,
        {
          trigger: {
            press: (velocity) => board.press(pad, velocity),
            release: () => board.release(pad),
            isLit: () => (view()?.state ?? 'idle') !== 'idle',
          },
          stop: { press: () => board.stop(pad) },
          gain: {
            read: () => view()?.settings.gain_db ?? 0,
            set: (gain_db) => board.edit(pad, { gain_db }),
          },
        },
        subscribe,
      );
    }),
  };
}
