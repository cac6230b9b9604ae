import { MAX_KEY_SEMITONES, type PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { transposedKey } from '@stem-studio/contract/transposed-key';
import { signedText } from '../../base/format.ts';
import { keyText, shortKeyText } from '../../base/key-text.ts';
import { Button } from '../../ui/button.tsx';
import styles from './transport.module.css';

/** Key of the player: the recorded and the resulting key, steps of a semitone, and a reset. */
export function KeyControl({
  player,
  state,
  recordedKey,
}: {
  player: SongPlayer;
  state: PlayerState;
  /** Key of the track as recorded, in sharps; empty if unknown. */
  recordedKey: string;
}) {
  const { keySemitones, stretchRefusal } = state;
  const isDisabled = stretchRefusal !== '';
  const isShifted = keySemitones !== 0;
  const change = (text: (key: string) => string) =>
    isShifted
      ? `${text(recordedKey)} → ${text(transposedKey(recordedKey, keySemitones))}`
      : text(recordedKey);
  return (
    <span className={styles['group']} role="group" aria-label="Key" title={stretchRefusal}>
      <Button
        small
        look="quiet"
        className={styles['step']}
        aria-label="Key down"
        title="A semitone down (J)"
        disabled={isDisabled || keySemitones <= -MAX_KEY_SEMITONES}
        onClick={() => player.setKey(keySemitones - 1)}
      >
        −
      </Button>
      <span className={styles['key']} data-off={isDisabled} data-known={recordedKey !== ''}>
        {recordedKey === '' ? (
          'Key'
        ) : (
          <>
            <span className={styles['long']}>{change(keyText)}</span>
            <span className={styles['short']}>{change(shortKeyText)}</span>
          </>
        )}
      </span>
      <Button
        small
        look="quiet"
        className={styles['step']}
        aria-label="Key up"
        title="A semitone up (K)"
        disabled={isDisabled || keySemitones >= MAX_KEY_SEMITONES}
        onClick={() => player.setKey(keySemitones + 1)}
      >
        +
      </Button>
      <Button
        small
        look="quiet"
        className={styles['semitones']}
        aria-label={`${signedText(keySemitones)}, reset key`}
        title="Reset key"
        disabled={isDisabled || !isShifted}
        onClick={() => player.setKey(0)}
      >
        {signedText(keySemitones)}
      </Button>
    </span>
  );
}
