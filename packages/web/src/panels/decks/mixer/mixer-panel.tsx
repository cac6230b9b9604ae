import { crossfaderCurves, type DeckId } from '@stem-studio/contract/resources/deck-session';
import { useBooth, useDeck, useMixer } from '../../../state/decks/dj-engine.ts';
import { setControl } from '../../../state/decks/set-control.ts';
import { ControlButton, ControlFader, ControlKnob } from '../control-parts.tsx';
import { bandText, crossfaderText, filterText, percentText, signed } from '../labels.ts';
import { MasterSection } from './master-section.tsx';
import { Meters } from './meters.tsx';
import styles from './mixer-panel.module.css';

const bands = [
  { band: 'high', label: 'HI', word: 'High' },
  { band: 'mid', label: 'MID', word: 'Mid' },
  { band: 'low', label: 'LOW', word: 'Low' },
] as const;

/** The mixer: a strip a deck, the crossfader with its curve, and what both run into. */
export function MixerPanel() {
  return (
    <section className={styles['mixer']} aria-label="Mixer">
      <div className={styles['desk']}>
        <Strip deck="a" />
        <MasterSection />
        <Strip deck="b" />
      </div>
      <Crossfader />
    </section>
  );
}

function Strip({ deck }: { deck: DeckId }) {
  const booth = useBooth();
  const strip = useDeck(deck, (state) => state.strip);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['strip']} role="group" aria-label={`Strip of deck ${letter}`} data-deck={deck}>
      <div className={styles['knobs']}>
        <ControlKnob
          control={`deck.${deck}.gain`}
          label="GAIN"
          name={`Gain of deck ${letter}`}
          text={(db) => `${signed(db, 1)} dB`}
        />
        {bands.map(({ band, label, word }) => (
          <div key={band} className={styles['band']}>
            <ControlKnob
              control={`deck.${deck}.eq_${band}`}
              label={label}
              name={`${word} of deck ${letter}`}
              text={bandText}
              isOff={strip[`kill_${band}`]}
            />
            <ControlButton
              control={`deck.${deck}.kill_${band}`}
              name={`Kill ${word.toLowerCase()}, deck ${letter}`}
              isOn={strip[`kill_${band}`]}
              look="small"
              className={styles['kill']}
            >
              K
            </ControlButton>
          </div>
        ))}
        <ControlKnob
          control={`deck.${deck}.filter`}
          label="FILTER"
          name={`Filter of deck ${letter}`}
          text={filterText}
        />
      </div>
      <div className={styles['level']}>
        <div className={styles['sliding']}>
          <ControlFader
            control={`deck.${deck}.volume`}
            name={`Volume of deck ${letter}`}
            text={percentText}
          />
          <Meters name={`Level of deck ${letter}`} levels={() => booth.decks.levels(deck)} />
        </div>
        <ControlButton
          control={`deck.${deck}.headphones`}
          name={`Deck ${letter} in the headphones`}
          hint="H"
          isOn={strip.is_cued}
          className={styles['listen']}
        >
          PHONES
        </ControlButton>
      </div>
    </div>
  );
}

/** The crossfader, and the curve by which it goes. */
export function Crossfader() {
  const booth = useBooth();
  const curve = useMixer((mixer) => mixer.crossfader_curve);
  return (
    <div className={styles['crossing']} role="group" aria-label="Crossfader">
      <span className={styles['end']} data-deck="a" aria-hidden="true">
        A
      </span>
      <ControlFader
        control="mixer.crossfader"
        name="Crossfader"
        text={crossfaderText}
        axis="x"
        hint="A, S"
        isFromRest
      />
      <span className={styles['end']} data-deck="b" aria-hidden="true">
        B
      </span>
      <select
        className={styles['select']}
        aria-label="Curve of the crossfader"
        title="Curve of the crossfader"
        value={curve}
        onChange={(event) => {
          const at = crossfaderCurves.findIndex((name) => name === event.target.value);
          setControl(booth, 'mixer.crossfader_curve', at);
          event.target.blur();
        }}
      >
        {crossfaderCurves.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
