import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './grid-panel.module.css';
import { tapText } from './tap-series.ts';
import type { Taps } from './use-taps.ts';

/** Tap tempo button with the tempo of the taps so far. Taps count when the button goes down, not when it is released. */
export function TapButton({
  taps,
  player,
  isDisabled,
}: {
  taps: Taps;
  player: SongPlayer | null;
  isDisabled: boolean;
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
        title="Tap tempo (T)"
        disabled={isDisabled || !player}
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
        {tapText(taps.series, isPlaying)}
      </span>
    </>
  );
}
