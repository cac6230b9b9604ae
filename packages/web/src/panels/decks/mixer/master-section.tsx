import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import { headphoneMixText, percentText } from '../labels.ts';
import { MicrophoneButton } from '../microphone/microphone-button.tsx';
import { SettingsButton } from '../settings/settings-button.tsx';
import { HeadphoneState } from './headphone-state.tsx';
import { LimiterLight } from './limiter-light.tsx';
import { Meters } from './meters.tsx';
import styles from './mixer-panel.module.css';
import { Recorder } from './recorder.tsx';

/** Master section of the mixer: master, headphones, master sync, recorder, and the button of the settings. */
export function MasterSection() {
  const engine = useDjEngine();
  return (
    <div className={styles['master']}>
      <div className={styles['knobGroup']}>
        <div className={styles['pair']}>
          <ControlKnob control="mixer.master_volume" label="MASTER" name="Master volume" text={percentText} />
          <Meters name="Level of the master" levels={() => engine.decks.masterLevels()} />
          <LimiterLight />
        </div>
        <div className={styles['pair']} role="group" aria-label="Headphones">
          <ControlKnob
            control="mixer.headphone_volume"
            label="PHONES"
            name="Headphone volume"
            text={percentText}
          />
          <ControlKnob
            control="mixer.headphone_mix"
            label="MIX"
            name="Headphone mix"
            text={headphoneMixText}
          />
        </div>
      </div>
      <div className={styles['buttonGroup']}>
        <HeadphoneState />
        <ControlButton control="mixer.master_sync" name="Master sync: deck B follows deck A" look="small">
          MASTER SYNC
        </ControlButton>
        <MicrophoneButton />
        <SettingsButton />
        <Recorder />
      </div>
    </div>
  );
}
