import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import { signed } from '../labels.ts';
import { Meters } from '../mixer/meters.tsx';
import styles from './microphone.module.css';
import { millisecondsText } from './microphone-text.ts';

const DEFAULT = 'default';

/** Settings of the microphone: device, level, low-cut, talk-over and recording. */
export function MicrophoneControls() {
  const { microphone } = useDjEngine();
  const { isHere, status, trouble, devices, settings } = useStore(microphone.state, (state) => state);
  const dbText = (db: number) => `${signed(db, 1)} dB`;
  return (
    <div className={styles['controls']} role="group" aria-label="Microphone">
      <div className={styles['row']}>
        <ControlButton
          isSymbol
          control="mixer.microphone"
          name="Microphone on"
          hint="Shift P"
          disabled={!isHere}
        >
          {status === 'on' ? 'On' : status === 'opening' ? 'Waiting…' : 'Off'}
        </ControlButton>
        <Select
          className={styles['device']}
          label="Microphone device"
          disabled={!isHere}
          value={settings.device ?? DEFAULT}
          options={[
            { value: DEFAULT, label: 'Default microphone' },
            ...devices
              .filter(({ id }) => id !== DEFAULT)
              .map(({ id, label }, index) => ({ value: id, label: label || `Microphone ${index + 1}` })),
          ]}
          onChange={(id) => void microphone.edit({ device: id === DEFAULT ? null : id })}
        />
      </div>
      {trouble !== '' && <p className={styles['trouble']}>{trouble}</p>}
      <div className={styles['row']}>
        <ControlKnob
          control="mixer.microphone_gain"
          label="GAIN"
          name="Gain of the microphone"
          text={dbText}
        />
        <div className={styles['meter']}>
          <Meters
            name="Level of the microphone"
            levels={() => [microphone.report.peak, microphone.report.peak]}
          />
        </div>
        <ControlButton isSymbol control="mixer.microphone_low_cut" name="Low-cut at 100 Hz" look="small">
          LOW CUT
        </ControlButton>
        <ControlButton
          isSymbol
          control="mixer.microphone_recorded"
          name="Microphone in the recording"
          look="small"
        >
          RECORD
        </ControlButton>
      </div>
      <div className={styles['row']}>
        <ControlButton
          isSymbol
          control="mixer.microphone_talk_over"
          name="Talk-over: music is turned down while you speak"
          look="small"
        >
          TALK-OVER
        </ControlButton>
        <ControlKnob
          control="mixer.microphone_threshold"
          label="FROM"
          name="Threshold of talk-over"
          text={dbText}
        />
        <ControlKnob control="mixer.microphone_depth" label="BY" name="Depth of talk-over" text={dbText} />
        <ControlKnob
          control="mixer.microphone_attack"
          label="DOWN"
          name="Attack of talk-over"
          text={millisecondsText}
        />
        <ControlKnob
          control="mixer.microphone_release"
          label="UP"
          name="Release of talk-over"
          text={millisecondsText}
        />
      </div>
    </div>
  );
}
