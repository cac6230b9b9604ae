import type { TimeView } from '../../state/time-view.ts';

/** Factor of a wheel notch. */
const WHEEL_STEP = 1.25;

/**
 * Zooms a part of the timeline around the pointer by a wheel with Ctrl, and scrolls it by a horizontal wheel or with
 * Shift. Other turns of the wheel are left to the browser.
 */
export function wheelView(event: WheelEvent, element: Element | null, view: TimeView): void {
  const box = element?.getBoundingClientRect();
  if (!box || box.width === 0) return;
  const { fromSeconds, spanSeconds } = view.window;
  const across = event.deltaX !== 0 ? event.deltaX : event.shiftKey ? event.deltaY : 0;
  const isZoom = event.ctrlKey || event.metaKey;
  if (!isZoom && across === 0) return;
  event.preventDefault();
  const part = (event.clientX - box.left) / box.width;
  if (isZoom) view.zoomBy(WHEEL_STEP ** -Math.sign(event.deltaY), fromSeconds + part * spanSeconds);
  else view.scrollTo(fromSeconds + (across / box.width) * spanSeconds);
}
