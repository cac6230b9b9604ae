import { canFollow } from '@stem-studio/contract/decks/settle-lead';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { Button } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/use-store.ts';
import controlStyles from '../control-parts.module.css';
import { ControlButton } from '../control-parts.tsx';
import { useControl, useDeck, useDjEngine, useDjState } from '../dj-context.ts';
import { signed, syncText } from '../labels.ts';
import styles from './deck-panel.module.css';

/**
 * Switches of a deck (sync, key lock, quantize, slip) and its key shift; for touch screens also what others do by Shift:
 * clearing of hot cues, brake and spin-back.
 */
export function SwitchRow({ deck }: { deck: DeckId }) {
  const isSynced = useControl(`deck.${deck}.sync`).value > 0;
  const { control: key, value: semitones } = useControl(`deck.${deck}.key`);
  const isClearing = useDjState((state) => state.isClearing[deck]);
  const isEmpty = useDeck(deck, (state) => state.track_id === null);
  const engine = useDjEngine();
  const canSync = useStore(engine.decks.session, (session) => isSynced || canFollow(session, deck));
  const syncName = useStore(engine.decks.session, (session) => syncText(session, deck));
  const letter = deck.toUpperCase();
  return (
    <div className={styles['switches']}>
      <ControlButton
        control={`deck.${deck}.sync`}
        name={syncName}
        hint="E"
        disabled={!canSync}
        className={styles['sync']}
      >
        SYNC
      </ControlButton>
      <ControlButton control={`deck.${deck}.key_lock`} name={`Key lock, deck ${letter}`} hint="T">
        KEY
      </ControlButton>
      <ControlButton control={`deck.${deck}.quantize`} name={`Quantize, deck ${letter}`} hint="U">
        QUANTIZE
      </ControlButton>
      <ControlButton control={`deck.${deck}.slip`} name={`Slip, deck ${letter}`} hint="Y">
        SLIP
      </ControlButton>
      <button
        type="button"
        className={`${controlStyles['button']} ${styles['touch']}`}
        aria-label={`Clear hot cues, deck ${letter}`}
        title="While on, pressing a hot cue clears it"
        aria-pressed={isClearing}
        onClick={() =>
          engine.state.setState(({ isClearing: both }) => ({ isClearing: { ...both, [deck]: !both[deck] } }))
        }
      >
        CLEAR
      </button>
      <span className={styles['keys']} role="group" aria-label={`Key of deck ${letter}`}>
        <Button
          small
          aria-label={`Key down, deck ${letter}`}
          title="Down a semitone"
          onClick={() => key.set(semitones - 1)}
        >
          ♭
        </Button>
        <Button
          small
          aria-label={`Reset key, deck ${letter}: ${signed(semitones)}`}
          title="Original key"
          onClick={() => key.set(0)}
        >
          {signed(semitones)}
        </Button>
        <Button
          small
          aria-label={`Key up, deck ${letter}`}
          title="Up a semitone"
          onClick={() => key.set(semitones + 1)}
        >
          ♯
        </Button>
      </span>
      <ControlButton
        control={`deck.${deck}.brake`}
        name={`Vinyl brake, deck ${letter}`}
        hint="Shift+PLAY"
        disabled={isEmpty}
        className={styles['touch']}
      >
        BRAKE
      </ControlButton>
      <ControlButton
        control={`deck.${deck}.spin_back`}
        name={`Spin back, deck ${letter}`}
        hint="Shift+CUE"
        disabled={isEmpty}
        className={styles['touch']}
      >
        SPIN
      </ControlButton>
    </div>
  );
}
