import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useControl, useDjEngine } from '../dj-context.ts';
import { headphoneMixText, percentText } from '../labels.ts';
import { HeadphoneSelect } from './headphone-select.tsx';
import { Meters } from './meters.tsx';
import styles from './mixer-panel.module.css';
import { Recorder } from './recorder.tsx';

const outputs = ['master', 'headphones'] as const;

/** Master section of the mixer: master, headphones, master sync, metronome and recorder. */
export function MasterSection() {
  const engine = useDjEngine();
  const { control: output, value: outputIndex } = useControl('mixer.metronome_output');
  const hasPhones = useStore(engine.headphones.state, ({ chosen }) => chosen !== null);
  return (
    <div className={styles['master']}>
      <div className={styles['pair']}>
        <ControlKnob control="mixer.master_volume" label="MASTER" name="Master volume" text={percentText} />
        <Meters name="Level of the master" levels={() => engine.decks.masterLevels()} />
      </div>
      <div className={styles['pair']} role="group" aria-label="Headphones">
        <ControlKnob
          control="mixer.headphone_volume"
          label="PHONES"
          name="Headphone volume"
          text={percentText}
        />
        <ControlKnob control="mixer.headphone_mix" label="MIX" name="Headphone mix" text={headphoneMixText} />
      </div>
      <HeadphoneSelect />
      <ControlButton control="mixer.master_sync" name="Master sync: deck B follows deck A">
        SYNC A ▸ B
      </ControlButton>
      <div className={styles['click']} role="group" aria-label="Metronome">
        <ControlButton control="mixer.metronome" name="Metronome" hint="G">
          CLICK
        </ControlButton>
        <Select
          className={styles['select']}
          label="Metronome output"
          title={
            outputs[outputIndex] === 'headphones' && !hasPhones
              ? 'No headphone output selected: the metronome is silent'
              : 'Metronome output'
          }
          value={outputs[outputIndex] ?? 'master'}
          options={[
            { value: 'master', label: 'Master' },
            { value: 'headphones', label: hasPhones ? 'Phones' : 'Phones (none)' },
          ]}
          onChange={(name) => output.set(outputs.indexOf(name))}
        />
        <ControlKnob
          control="mixer.metronome_volume"
          label="LEVEL"
          name="Metronome volume"
          text={percentText}
        />
      </div>
      <Recorder />
    </div>
  );
}
