import { FASTEST_PERCENT, type PlayerState, SLOWEST_PERCENT } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { percentText } from '../../base/format.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './transport.module.css';

const roundToHundredths = (value: number) => Math.round(value * 100) / 100;

/** Tempo of the player: a field in BPM (in percent where the BPM are unknown), steps of one, and a reset. */
export function TempoControl({
  player,
  state,
  recordedBpm,
}: {
  player: SongPlayer;
  state: PlayerState;
  /** BPM of the track as recorded; null if unknown. */
  recordedBpm: number | null;
}) {
  const { tempoPercent, stretchRefusal } = state;
  const isDisabled = stretchRefusal !== '';
  // One percent in the unit of the field.
  const percent = (recordedBpm ?? 100) / 100;
  const value = roundToHundredths(tempoPercent * percent);
  const unit = recordedBpm === null ? '%' : 'BPM';
  const set = (next: number) => player.setTempo(next / percent);
  // To the next whole number, so that 127.6 becomes 128 and then 129.
  const step = (direction: 1 | -1) => set(direction > 0 ? Math.floor(value) + 1 : Math.ceil(value) - 1);
  return (
    <span className={styles['group']} role="group" aria-label="Tempo" title={stretchRefusal}>
      <Button
        small
        look="quiet"
        className={styles['step']}
        aria-label="Slower"
        title="Slower (Shift ↓)"
        disabled={isDisabled || tempoPercent <= SLOWEST_PERCENT}
        onClick={() => step(-1)}
      >
        −
      </Button>
      <NumberField
        name={recordedBpm === null ? 'Playback tempo in percent' : 'Playback tempo in BPM'}
        unit={unit}
        value={value}
        min={roundToHundredths(SLOWEST_PERCENT * percent)}
        max={roundToHundredths(FASTEST_PERCENT * percent)}
        isDisabled={isDisabled}
        onSet={set}
        onStep={step}
      />
      <Button
        small
        look="quiet"
        className={styles['step']}
        aria-label="Faster"
        title="Faster (Shift ↑)"
        disabled={isDisabled || tempoPercent >= FASTEST_PERCENT}
        onClick={() => step(1)}
      >
        +
      </Button>
      <Button
        small
        look="quiet"
        className={styles['percent']}
        aria-label={`${percentText(tempoPercent)}, reset tempo`}
        title="Reset tempo"
        disabled={isDisabled || tempoPercent === 100}
        onClick={() => player.setTempo(100)}
      >
        {percentText(tempoPercent)}
      </Button>
    </span>
  );
}
