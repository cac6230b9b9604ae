import { type RefObject, useEffectEvent, useState } from 'react';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';

/** Durations that the width of the waveform can show, in seconds. */
const SPANS_SECONDS = [1, 2, 4, 8, 16, 32] as const;
const WIDE_LEVEL = 3;
const NARROW_LEVEL = 2;
const LAST_LEVEL = SPANS_SECONDS.length - 1;

/** Zoom of a waveform. */
export interface GridZoom {
  /** Seconds from the left edge to the right one. */
  readonly spanSeconds: number;
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
}

/** Keeps the zoom of the waveform in an element; Ctrl or ⌘ with the wheel zooms. */
export function useGridZoom(element: RefObject<HTMLElement | null>): GridZoom {
  const [level, setLevel] = useState(useIsNarrow() ? NARROW_LEVEL : WIDE_LEVEL);
  const zoomBy = (levels: number) => setLevel(Math.min(LAST_LEVEL, Math.max(0, level + levels)));
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(Math.sign(event.deltaY));
  });
  useScope((scope) => {
    // React's own wheel listeners are passive and cannot prevent the browser's zoom.
    if (element.current)
      scope.listen(element.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
  }, []);
  return {
    spanSeconds: SPANS_SECONDS[level] ?? 8,
    canZoomIn: level > 0,
    canZoomOut: level < LAST_LEVEL,
    zoomIn: () => zoomBy(-1),
    zoomOut: () => zoomBy(1),
  };
}
