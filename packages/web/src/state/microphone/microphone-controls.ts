import { microphoneControls } from '@stem-studio/contract/sampler-controls';
import { bindControls, type ContinuousBinding, type ToggleBinding } from '../controls/bind-controls.ts';
import type { MicrophoneBoard } from './microphone-board.ts';

/** The controls of the microphone, by their address after `mixer.`. */
export function microphoneControlsOf(board: MicrophoneBoard) {
  const now = () => board.state.getState();
  const value = (
    field: 'gain_db' | 'threshold_db' | 'depth_db' | 'attack_ms' | 'release_ms',
  ): ContinuousBinding => ({
    read: () => now().settings[field],
    set: (next) => void board.edit({ [field]: next }),
  });
  const toggle = (field: 'has_low_cut' | 'is_talk_over' | 'is_recorded'): ToggleBinding => ({
    isOn: () => now().settings[field],
    flip: () => void board.edit({ [field]: !now().settings[field] }),
  });
  return bindControls(
    microphoneControls,
    {
      microphone: {
        isOn: () => now().status !== 'off',
        flip: () => {
          if (now().status === 'off') void board.switchOn();
          else board.switchOff();
        },
      },
      microphone_gain: value('gain_db'),
      microphone_low_cut: toggle('has_low_cut'),
      microphone_talk_over: toggle('is_talk_over'),
      microphone_threshold: value('threshold_db'),
      microphone_depth: value('depth_db'),
      microphone_attack: value('attack_ms'),
      microphone_release: value('release_ms'),
      microphone_recorded: toggle('is_recorded'),
    },
    (listener) => board.state.subscribe(() => listener()),
  );
}
