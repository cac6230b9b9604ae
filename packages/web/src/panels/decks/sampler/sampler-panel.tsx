import { padNumbers } from '@stem-studio/contract/sampler-controls';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlKnob } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import { percentText } from '../labels.ts';
import { Pad } from './pad.tsx';
import styles from './sampler-panel.module.css';

/** The sampler: its volume, and the eight pads of the user's bank. */
export function SamplerPanel() {
  const { sampler } = useDjEngine();
  const isHere = useStore(sampler.state, (state) => state.isHere);
  return (
    <section className={styles['sampler']} aria-label="Sampler">
      <div className={styles['output']}>
        <ControlKnob
          control="sampler.volume"
          label="VOLUME"
          name="Volume of the sampler"
          text={percentText}
        />
        <div className={styles['switches']}>
          <ControlButton control="sampler.headphones" name="Sampler in the headphones">
            PHONES
          </ControlButton>
          <ControlButton control="sampler.stop" name="Stop all pads" disabled={!isHere}>
            STOP
          </ControlButton>
        </div>
      </div>
      <div className={styles['pads']}>
        {padNumbers.map((number) => (
          <Pad key={number} number={number} />
        ))}
      </div>
    </section>
  );
}
