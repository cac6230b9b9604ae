import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type RefObject, useEffectEvent, useState } from 'react';
import { TimeView, ZOOM_STEP } from '../../state/time-view.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { useScope } from '../../ui/use-scope.ts';
import { mixActionOf } from './mix-keys.ts';

/** Factor of a wheel notch. */
const WHEEL_STEP = 1.25;

/**
 * Keeps zoom and scroll position of the lanes: buttons, keys, Ctrl or ⌘ with the wheel zoom; Shift with the wheel, and a
 * horizontal wheel, scroll. Moves the playhead and follows it.
 *
 * @param lanes element with the lanes, which receives the wheel
 * @param field area over the waveforms, whose width shows the window
 * @param playhead line in that area
 */
export function useLaneView(
  player: SongPlayer,
  lanes: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
  playhead: RefObject<HTMLElement | null>,
): TimeView {
  const [view] = useState(() => new TimeView());
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const box = field.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const { fromSeconds, spanSeconds } = view.window;
    const isZoom = event.ctrlKey || event.metaKey;
    const across = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
    if (!isZoom && (across === 0 || view.state.getState().isWhole)) return;
    event.preventDefault();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    if (isZoom) view.zoomBy(WHEEL_STEP ** -Math.sign(event.deltaY), fromSeconds + part * spanSeconds);
    else view.scrollTo(fromSeconds + (across / box.width) * spanSeconds);
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const action = mixActionOf(event);
    if (!action) return;
    event.preventDefault();
    if (action === 'fit') view.fit();
    else view.zoomBy(action === 'zoom-in' ? ZOOM_STEP : 1 / ZOOM_STEP, player.positionSeconds());
  });
  useScope(
    (scope) => {
      // React's own wheel listeners are passive and cannot prevent the browser's zoom.
      if (lanes.current)
        scope.listen(lanes.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
      scope.listen(globalThis, 'keydown', (event) => onKey(event as KeyboardEvent));
      let before = player.positionSeconds();
      let shownLeft = '';
      scope.onAnimationFrame(() => {
        view.setDuration(player.state.getState().durationSeconds);
        const position = player.positionSeconds();
        view.follow(position, before);
        before = position;
        if (!field.current || !playhead.current) return;
        const { fromSeconds, spanSeconds } = view.window;
        const part = spanSeconds > 0 ? (position - fromSeconds) / spanSeconds : 0;
        const left = (part * field.current.clientWidth).toFixed(1);
        if (left === shownLeft) return;
        shownLeft = left;
        playhead.current.style.transform = `translateX(${left}px)`;
      });
    },
    [player],
  );
  return view;
}
