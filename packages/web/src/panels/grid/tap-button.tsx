import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './grid-panel.module.css';
import { tapWords } from './tap-series.ts';
import type { Taps } from './use-taps.ts';

/** A button to tap the beat on, as soon as it is pressed and not when it is let go, and what the taps say so far. */
export function TapButton({
  taps,
  player,
  isOff,
}: {
  taps: Taps;
  player: SongPlayer | null;
  isOff: boolean;
}) {
  const isPlaying = useSyncExternalStore(
    (changed) => player?.state.subscribe(changed) ?? (() => undefined),
    () => player?.state.getState().transport === 'playing',
  );
  return (
    <>
      <Button
        small
        className={styles['tap']}
        title="Tap on each beat while it plays, four times or more, first on a one (T)"
        disabled={isOff || !player}
        aria-disabled={!isPlaying}
        onPointerDown={(event) => {
          if (event.button === 0) taps.tap(event.timeStamp);
        }}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' || event.key === ' ') && !event.repeat) {
            event.preventDefault();
            taps.tap(event.timeStamp);
          }
        }}
      >
        Tap
      </Button>
      <span className={styles['tapped']} aria-live="polite">
        {tapWords(taps.series, isPlaying)}
      </span>
    </>
  );
}
