import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type RefObject, useEffectEvent, useState } from 'react';
import { TimeView } from '../../state/time-view.ts';
import { useScope } from '../../ui/use-scope.ts';

/** Factor of a wheel notch. */
const WHEEL_STEP = 1.25;

/**
 * Keeps the visible part of the song in the piano rolls of an element: Ctrl or ⌘ with the wheel zooms, Shift with the
 * wheel and a horizontal wheel scroll, and it follows the playhead.
 */
export function useRollView(
  player: SongPlayer | null,
  durationSeconds: number,
  element: RefObject<HTMLElement | null>,
): TimeView {
  const [view] = useState(() => new TimeView());
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const figure = event.target instanceof Element ? event.target.closest('figure') : null;
    const box = figure?.querySelector('[role="slider"]')?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const { fromSeconds, spanSeconds } = view.window;
    const across = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      view.zoomBy(WHEEL_STEP ** -Math.sign(event.deltaY), fromSeconds + part * spanSeconds);
    } else if (across !== 0 && !view.state.getState().isWhole) {
      event.preventDefault();
      view.scrollTo(fromSeconds + (across / box.width) * spanSeconds);
    }
  });
  useScope(
    (scope) => {
      view.setDuration(durationSeconds);
      // React's own wheel listeners are passive and cannot prevent the browser's zoom.
      if (element.current)
        scope.listen(element.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
      if (!player) return;
      let before = player.positionSeconds();
      scope.onAnimationFrame(() => {
        const position = player.positionSeconds();
        view.follow(position, before);
        before = position;
      });
    },
    [player, durationSeconds],
  );
  return view;
}
