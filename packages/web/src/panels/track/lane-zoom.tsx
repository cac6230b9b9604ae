import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type TimeView, ZOOM_STEP } from '../../state/time-view.ts';
import { IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './mix-panel.module.css';

/** Buttons that zoom the lanes around the playhead. */
export function LaneZoom({ view, player }: { view: TimeView; player: SongPlayer }) {
  const isWhole = useStore(view.state, (state) => state.isWhole);
  const zoomBy = (factor: number) => view.zoomBy(factor, player.positionSeconds());
  return (
    <span className={styles['zoom']} role="group" aria-label="Zoom">
      <IconButton
        small
        icon="zoomOut"
        label="Zoom out"
        title="Zoom out (−, Ctrl + wheel)"
        disabled={isWhole}
        onClick={() => zoomBy(1 / ZOOM_STEP)}
      />
      <IconButton
        small
        icon="zoomIn"
        label="Zoom in"
        title="Zoom in (+, Ctrl + wheel)"
        onClick={() => zoomBy(ZOOM_STEP)}
      />
      <IconButton
        small
        icon="fitWidth"
        label="Fit song"
        title="Fit song (0)"
        disabled={isWhole}
        onClick={() => view.fit()}
      />
    </span>
  );
}
