import { mixerControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { crossfaderCurves, type MixerState } from '@stem-studio/contract/resources/deck-session';
import { bindControls, type ContinuousBinding, type ToggleBinding } from '../controls/bind-controls.ts';
import type { Subscribe } from '../controls/control.ts';
import type { ControlTarget } from './control-target.ts';
import { toggleRecording } from './recording.ts';

/** The controls of the mixer. */
export function mixerControlsOf(target: ControlTarget, subscribe: Subscribe) {
  const { decks, state } = target;
  const now = () => decks.session.getState().mixer;
  const setMixer = (changes: Partial<MixerState>) => decks.dispatch({ event: 'set_mixer', changes });
  const value = (
    field:
      | 'crossfader'
      | 'master_volume'
      | 'headphone_volume'
      | 'headphone_mix'
      | 'metronome_volume'
      | 'auto_gain_reference_lufs'
      | 'brake_seconds'
      | 'spin_back_seconds',
  ): ContinuousBinding => ({
    read: () => now()[field],
    set: (next) => setMixer({ [field]: next }),
  });
  const toggle = (
    field: 'is_master_synced' | 'is_metronome_on' | 'is_auto_gain_on' | 'is_loading_stems',
  ): ToggleBinding => ({
    isOn: () => now()[field],
    flip: () => setMixer({ [field]: !now()[field] }),
  });
  const activate = (deck: DeckId) => ({
    press: () => setMixer({ active_deck: deck }),
    isLit: () => now().active_deck === deck,
  });

  return bindControls(
    mixerControls,
    {
      crossfader: value('crossfader'),
      crossfader_curve: {
        read: () => crossfaderCurves.indexOf(now().crossfader_curve),
        set: (index) =>
          setMixer({ crossfader_curve: crossfaderCurves[Math.round(index)] ?? crossfaderCurves[0] }),
      },
      master_volume: value('master_volume'),
      headphone_volume: value('headphone_volume'),
      headphone_mix: value('headphone_mix'),
      metronome_volume: value('metronome_volume'),
      metronome_output: {
        read: () => Number(now().metronome_output === 'headphones'),
        set: (index) => setMixer({ metronome_output: index >= 0.5 ? 'headphones' : 'master' }),
      },
      auto_gain: toggle('is_auto_gain_on'),
      auto_gain_reference: value('auto_gain_reference_lufs'),
      bar_sync: {
        isOn: () => now().sync_unit === 'bar',
        flip: () => setMixer({ sync_unit: now().sync_unit === 'bar' ? 'beat' : 'bar' }),
      },
      auto_stems: toggle('is_loading_stems'),
      brake_time: value('brake_seconds'),
      spin_back_time: value('spin_back_seconds'),
      master_sync: toggle('is_master_synced'),
      metronome: toggle('is_metronome_on'),
      record: {
        isOn: () => state.getState().recording === 'on',
        flip: () => toggleRecording(target),
      },
      deck_a: activate('a'),
      deck_b: activate('b'),
    },
    subscribe,
  );
}
