import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { useStore } from '../../../ui/use-store.ts';
import { ControlButton, ControlFader, ControlKnob } from '../control-parts.tsx';
import { useControl, useDeck, useDjEngine } from '../dj-context.ts';
import { MasterEffect } from '../effects/effect-row.tsx';
import { bandText, crossfaderText, filterText, percentText, signed } from '../labels.ts';
import { autoGainText } from './auto-gain-text.ts';
import { MasterSection } from './master-section.tsx';
import { Meters } from './meters.tsx';
import styles from './mixer-panel.module.css';

const bands: readonly BandLabels[] = [
  { band: 'high', label: 'HI', word: 'High' },
  { band: 'mid', label: 'MID', word: 'Mid' },
  { band: 'low', label: 'LOW', word: 'Low' },
];

/** Labels of an equaliser band. */
interface BandLabels {
  band: 'low' | 'mid' | 'high';
  label: string;
  word: string;
}

/** The mixer: a channel strip per deck, the master section and the crossfader. */
export function MixerPanel() {
  return (
    <section className={styles['mixer']} aria-label="Mixer">
      <div className={styles['channels']}>
        <Strip deck="a" />
        <MasterSection />
        <Strip deck="b" />
      </div>
      <MasterEffect />
      <Crossfader />
    </section>
  );
}

function Strip({ deck }: { deck: DeckId }) {
  const engine = useDjEngine();
  const hasOutput = useStore(engine.headphones.state, ({ isHere, chosen }) => !isHere || chosen !== null);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['strip']} role="group" aria-label={`Strip of deck ${letter}`} data-deck={deck}>
      <div className={styles['knobs']}>
        <Gain deck={deck} />
        {bands.map(({ band, label, word }) => (
          <Band key={band} deck={deck} band={band} label={label} word={word} />
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
          <Meters name={`Level of deck ${letter}`} levels={() => engine.decks.levels(deck)} />
        </div>
        <ControlButton
          control={`deck.${deck}.headphones`}
          name={`Deck ${letter} in the headphones`}
          hint={hasOutput ? 'H' : 'H; no headphone output is selected'}
          className={styles['listen']}
          isSymbol
        >
          PHONES
        </ControlButton>
      </div>
    </div>
  );
}

/** Gain knob with the auto-gain of the track, which the knob does not show. */
function Gain({ deck }: { deck: DeckId }) {
  const isOn = useControl('mixer.auto_gain').value > 0;
  const short = useDeck(deck, (state) => autoGainText(state, isOn).short);
  const long = useDeck(deck, (state) => autoGainText(state, isOn).long);
  return (
    <ControlKnob
      control={`deck.${deck}.gain`}
      label="GAIN"
      name={`Gain of deck ${deck.toUpperCase()}`}
      text={(db) => `${signed(db, 1)} dB`}
      note={short}
      noteAbout={long}
    />
  );
}

function Band({ deck, band, label, word }: { deck: DeckId } & BandLabels) {
  const { value: isKilled } = useControl(`deck.${deck}.kill_${band}`);
  const letter = deck.toUpperCase();
  return (
    <div className={styles['band']}>
      <ControlKnob
        control={`deck.${deck}.eq_${band}`}
        label={label}
        name={`${word} of deck ${letter}`}
        text={bandText}
        isOff={isKilled > 0}
      />
      <ControlButton
        control={`deck.${deck}.kill_${band}`}
        name={`Kill ${word.toLowerCase()}, deck ${letter}`}
        look="small"
        className={styles['kill']}
      >
        K
      </ControlButton>
    </div>
  );
}

/** The crossfader between the letters of its decks. */
export function Crossfader() {
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
    </div>
  );
}
