import { useBooth, useMixer } from '../../../state/decks/dj-engine.ts';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { percentText, phonesText } from '../labels.ts';
import { HeadphoneSelect } from './headphone-select.tsx';
import { Meters } from './meters.tsx';
import styles from './mixer-panel.module.css';
import { Recorder } from './recorder.tsx';

/** What both decks run into: master, headphones, metronome, recorder, and the sync of deck B to deck A. */
export function MasterSection() {
  const booth = useBooth();
  const isMasterSynced = useMixer((mixer) => mixer.is_master_synced);
  const isClicking = useMixer((mixer) => mixer.is_metronome_on);
  const output = useMixer((mixer) => mixer.metronome_output);
  const hasPhones = useStore(booth.headphones.state, ({ chosen }) => chosen !== null);
  return (
    <div className={styles['master']}>
      <div className={styles['pair']}>
        <ControlKnob control="mixer.master_volume" label="MASTER" name="Master volume" text={percentText} />
        <Meters name="Level of the master" levels={() => booth.decks.masterLevels()} />
      </div>
      <div className={styles['pair']} role="group" aria-label="Headphones">
        <ControlKnob
          control="mixer.headphone_volume"
          label="PHONES"
          name="Headphone volume"
          text={percentText}
        />
        <ControlKnob control="mixer.headphone_mix" label="MIX" name="Headphone mix" text={phonesText} />
      </div>
      <HeadphoneSelect />
      <ControlButton
        control="mixer.master_sync"
        name="Master sync: deck B follows deck A"
        isOn={isMasterSynced}
      >
        SYNC A ▸ B
      </ControlButton>
      <div className={styles['click']} role="group" aria-label="Metronome">
        <ControlButton control="mixer.metronome" name="Metronome" hint="G" isOn={isClicking}>
          CLICK
        </ControlButton>
        <select
          className={styles['select']}
          aria-label="Where the metronome is heard"
          title={
            output === 'headphones' && !hasPhones
              ? 'No headphones are chosen in this window: the metronome is silent'
              : 'Where the metronome is heard'
          }
          value={output}
          onChange={(event) => {
            booth.decks.dispatch({
              event: 'set_mixer',
              changes: { metronome_output: event.target.value === 'headphones' ? 'headphones' : 'master' },
            });
            event.target.blur();
          }}
        >
          <option value="master">master</option>
          <option value="headphones">{hasPhones ? 'phones' : 'phones: none'}</option>
        </select>
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
