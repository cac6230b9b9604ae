import {
  FASTEST_PERCENT,
  MAX_KEY_SEMITONES,
  type PlayerState,
  SLOWEST_PERCENT,
} from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import playerStyles from './player-panel.module.css';
import styles from './tempo-and-key.module.css';

/** Independent tempo and key of the player; a double click resets one. */
export function TempoAndKey({ player, state }: { player: SongPlayer; state: PlayerState }) {
  const { tempoPercent, keySemitones, stretchRefusal } = state;
  const isDisabled = stretchRefusal !== '';
  return (
    <div className={styles['both']} data-off={isDisabled} title={stretchRefusal || 'Double-click: reset'}>
      <label className={styles['one']}>
        <span className={styles['tempo']}>Tempo {tempoPercent} %</span>
        <input
          type="range"
          className={playerStyles['range']}
          disabled={isDisabled}
          step={1}
          aria-label="Tempo in percent"
          aria-valuetext={`${tempoPercent} percent`}
          min={SLOWEST_PERCENT}
          max={FASTEST_PERCENT}
          value={tempoPercent}
          style={{ ['--part' as string]: `${tempoPercent - SLOWEST_PERCENT}%` }}
          onChange={(event) => player.setTempo(Number(event.target.value))}
          onDoubleClick={() => player.setTempo(100)}
        />
      </label>
      <label className={styles['one']}>
        <span className={styles['key']}>Key {signed(keySemitones)}</span>
        <input
          type="range"
          className={playerStyles['range']}
          disabled={isDisabled}
          step={1}
          aria-label="Key in semitones"
          aria-valuetext={`${signed(keySemitones)} semitones`}
          min={-MAX_KEY_SEMITONES}
          max={MAX_KEY_SEMITONES}
          value={keySemitones}
          style={{ ['--part' as string]: `${((keySemitones + MAX_KEY_SEMITONES) / 24) * 100}%` }}
          onChange={(event) => player.setKey(Number(event.target.value))}
          onDoubleClick={() => player.setKey(0)}
        />
      </label>
    </div>
  );
}

function signed(semitones: number): string {
  if (semitones === 0) return '0';
  return semitones > 0 ? `+${semitones}` : `−${-semitones}`;
}
