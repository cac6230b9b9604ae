import { useEffect, useRef } from 'react';
import type { TimeView } from '../../state/time-view.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './mix-panel.module.css';

/** Scrolls the zoomed lanes through the song; empty while the whole song is visible. */
export function LaneScrollbar({ view }: { view: TimeView }) {
  const { window, isWhole } = useStore(view.state, (state) => state);
  const bar = useRef<HTMLDivElement>(null);
  /** Position that this component has set itself. */
  const own = useRef(-1);
  const { fromSeconds, spanSeconds } = window;
  useEffect(() => {
    const { current } = bar;
    if (!current || spanSeconds <= 0) return;
    const left = Math.round((fromSeconds / spanSeconds) * current.clientWidth);
    own.current = left;
    if (Math.abs(current.scrollLeft - left) > 1) current.scrollLeft = left;
  }, [fromSeconds, spanSeconds]);
  return (
    <div
      ref={bar}
      className={styles['scrollbar']}
      data-whole={isWhole}
      // A mouse and a finger scroll it; the keyboard moves the playhead, which the lanes follow.
      aria-hidden="true"
      tabIndex={-1}
      onScroll={(event) => {
        const { scrollLeft, clientWidth } = event.currentTarget;
        if (Math.abs(scrollLeft - own.current) <= 1 || clientWidth === 0) return;
        view.scrollTo((scrollLeft / clientWidth) * view.window.spanSeconds);
      }}
    >
      <div style={{ width: `${spanSeconds > 0 ? (view.durationSeconds / spanSeconds) * 100 : 100}%` }} />
    </div>
  );
}
