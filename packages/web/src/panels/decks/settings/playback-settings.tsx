import { chooseColoring, djArrangement } from '../../../state/decks/dj-layout.state.ts';
import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useControl } from '../dj-context.ts';
import { signed } from '../labels.ts';
import styles from './playback-settings.module.css';

const units = ['beats', 'bars'] as const;

/** How tracks are played: auto-gain, sync unit, stems, and the times of brake and spin-back. */
export function PlaybackSettings() {
  const { control: barSync, value: isBar } = useControl('mixer.bar_sync');
  const coloring = useStore(djArrangement, (arrangement) => arrangement.coloring);
  return (
    <div className={styles['playback']}>
      <div className={styles['row']} role="group" aria-label="Auto-gain">
        <ControlButton control="mixer.auto_gain" name="Auto-gain to the reference loudness">
          Auto-gain
        </ControlButton>
        <ControlKnob
          control="mixer.auto_gain_reference"
          label="LUFS"
          name="Reference loudness"
          text={(lufs) => `${signed(lufs, 1)} LUFS`}
        />
      </div>
      <ControlButton control="mixer.auto_stems" name="Load stems automatically">
        Load stems
      </ControlButton>
      <Select
        className={styles['select']}
        label="Sync to"
        title="Bars: a synced start lands on the same beat of the bar"
        value={units[isBar] ?? 'beats'}
        options={[
          { value: 'beats', label: 'Sync to beats' },
          { value: 'bars', label: 'Sync to bars' },
        ]}
        onChange={(name) => barSync.set(units.indexOf(name))}
      />
      <Select
        className={styles['select']}
        label="Waveform colors"
        title="Stems: tracks without loaded stems keep the colors of the bands"
        value={coloring}
        options={[
          { value: 'bands', label: 'Waveforms by band' },
          { value: 'stems', label: 'Waveforms by stem' },
        ]}
        onChange={chooseColoring}
      />
      <div className={styles['row']} role="group" aria-label="Platter">
        <ControlKnob control="mixer.brake_time" label="BRAKE" name="Brake time" text={secondsText} />
        <ControlKnob control="mixer.spin_back_time" label="SPIN" name="Spin-back time" text={secondsText} />
      </div>
    </div>
  );
}

function secondsText(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}
