import { type PointerEvent, useRef } from 'react';
import styles from './piano-roll.module.css';

const LEAST_HEIGHT_PX = 160;
const MOST_HEIGHT_PX = 720;
const HEIGHT_STEP_PX = 20;

/** Upper edge of the roll: a drag or the arrow keys change its height. */
export function HeightHandle({
  heightPx,
  onChange,
}: {
  heightPx: number;
  onChange: (height: number) => void;
}) {
  const drag = useRef<{ y: number; heightPx: number } | null>(null);
  const set = (height: number) =>
    onChange(Math.round(Math.min(MOST_HEIGHT_PX, Math.max(LEAST_HEIGHT_PX, height))));
  const end = () => {
    drag.current = null;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that moves is a control
    <div
      className={styles['handle']}
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the piano roll"
      aria-valuemin={LEAST_HEIGHT_PX}
      aria-valuemax={MOST_HEIGHT_PX}
      aria-valuenow={heightPx}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that moves is a control
      tabIndex={0}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { y: event.clientY, heightPx };
      }}
      onPointerMove={(event) => {
        if (drag.current) set(drag.current.heightPx + drag.current.y - event.clientY);
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        event.stopPropagation();
        set(heightPx + (event.key === 'ArrowUp' ? HEIGHT_STEP_PX : -HEIGHT_STEP_PX));
      }}
    />
  );
}
