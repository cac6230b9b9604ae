import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useControl, useDjEngine } from '../dj-context.ts';
import { percentText } from '../labels.ts';
import styles from './settings-panel.module.css';

const outputs = ['master', 'headphones'] as const;

/** The metronome: on or off, its output and its level. */
export function MetronomeSettings() {
  const engine = useDjEngine();
  const { control: output, value: outputIndex } = useControl('mixer.metronome_output');
  const hasPhones = useStore(engine.headphones.state, ({ chosen }) => chosen !== null);
  const isSilent = outputs[outputIndex] === 'headphones' && !hasPhones;
  return (
    <div className={styles['metronome']} role="group" aria-label="Metronome">
      <ControlButton control="mixer.metronome" name="Metronome" hint="G">
        Metronome
      </ControlButton>
      <ControlKnob
        control="mixer.metronome_volume"
        label="LEVEL"
        name="Metronome volume"
        text={percentText}
      />
      <Select
        className={styles['select']}
        label="Metronome output"
        title={isSilent ? 'No headphone output selected: the metronome is silent' : 'Metronome output'}
        value={outputs[outputIndex] ?? 'master'}
        options={[
          { value: 'master', label: 'Master' },
          { value: 'headphones', label: hasPhones ? 'Phones' : 'Phones (none)' },
        ]}
        onChange={(name) => output.set(outputs.indexOf(name))}
      />
    </div>
  );
}
