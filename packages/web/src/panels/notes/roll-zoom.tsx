import { type TimeView, ZOOM_STEP } from '../../state/time-view.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './piano-roll.module.css';

/** Buttons that zoom a piano roll: the time of all rolls, and the height of the keys of one. */
export function RollZoom({
  title,
  view,
  centre,
  canEnlarge,
  canReduce,
  onKeys,
}: {
  title: string;
  view: TimeView;
  /** Returns the position that stays where it is, in seconds. */
  centre: () => number;
  canEnlarge: boolean;
  canReduce: boolean;
  onKeys: (step: 1 | -1) => void;
}) {
  const isWhole = useStore(view.state, (state) => state.isWhole);
  return (
    <span className={styles['zoom']} role="group" aria-label={`Zoom of ${title}`}>
      <IconButton
        small
        icon="zoomOut"
        label="Zoom out"
        title="Zoom out (Ctrl + wheel)"
        disabled={isWhole}
        onClick={() => view.zoomBy(1 / ZOOM_STEP, centre())}
      />
      <IconButton
        small
        icon="zoomIn"
        label="Zoom in"
        title="Zoom in (Ctrl + wheel)"
        onClick={() => view.zoomBy(ZOOM_STEP, centre())}
      />
      <IconButton small icon="fitWidth" label="Fit song" disabled={isWhole} onClick={() => view.fit()} />
      <Button
        small
        look="quiet"
        aria-label="Lower keys"
        title="Lower keys"
        disabled={!canReduce}
        onClick={() => onKeys(-1)}
      >
        −
      </Button>
      <Button
        small
        look="quiet"
        aria-label="Higher keys"
        title="Higher keys"
        disabled={!canEnlarge}
        onClick={() => onKeys(1)}
      >
        +
      </Button>
    </span>
  );
}
