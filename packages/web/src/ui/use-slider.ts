import { type KeyboardEvent, type PointerEvent, type RefObject, useEffectEvent, useRef } from 'react';
import { draggedBy, KNOB_TRAVEL_PX, type SliderRange, valueAfterKey, wheeled } from './slider-range.ts';
import { useScope } from './use-scope.ts';

/** Interval within which two presses at the same position are a double click, also by touch. */
const DOUBLE_MS = 350;
const DOUBLE_PX = 6;

/**
 * Returns the properties of an accessible slider: drag (fine with Shift), wheel and keys; a double click resets it.
 * Each pointer has its own drag, so that two faders can move at once.
 *
 * @param name accessible name
 * @param text value with its unit
 * @param travelPx pixels from one end to the other; a fader gives its length, negative if values increase downwards
 * @param axis `x` increases to the right, `y` upwards
 */
export function useSlider(
  element: RefObject<HTMLElement | null>,
  {
    name,
    text,
    value,
    range,
    onChange,
    travelPx = () => KNOB_TRAVEL_PX,
    axis = 'y',
  }: {
    name: string;
    text: string;
    value: number;
    range: SliderRange;
    onChange: (value: number) => void;
    travelPx?: () => number;
    axis?: 'x' | 'y';
  },
) {
  const drag = useRef<{ pointer: number; at: number; value: number } | null>(null);
  const pressed = useRef({ ms: Number.NEGATIVE_INFINITY, x: 0, y: 0 });
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    onChange(wheeled(value, event.deltaY || event.deltaX, range, event.shiftKey));
  });
  useScope((scope) => {
    // React's wheel listeners are passive and cannot prevent the default.
    if (element.current)
      scope.listen(element.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
  }, []);
  const positionPx = (event: PointerEvent) => (axis === 'x' ? event.clientX : -event.clientY);

  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': name,
    'aria-orientation': axis === 'x' ? 'horizontal' : 'vertical',
    'aria-valuemin': range.min,
    'aria-valuemax': range.max,
    'aria-valuenow': value,
    'aria-valuetext': text,
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const last = pressed.current;
      const isDouble =
        event.timeStamp - last.ms < DOUBLE_MS &&
        Math.hypot(event.clientX - last.x, event.clientY - last.y) < DOUBLE_PX;
      pressed.current = {
        ms: isDouble ? Number.NEGATIVE_INFINITY : event.timeStamp,
        x: event.clientX,
        y: event.clientY,
      };
      if (isDouble) onChange(range.rest);
      drag.current = {
        pointer: event.pointerId,
        at: positionPx(event),
        value: isDouble ? range.rest : value,
      };
    },
    onPointerMove(event: PointerEvent) {
      const from = drag.current;
      if (from?.pointer !== event.pointerId) return;
      const at = positionPx(event);
      if (at === from.at) return;
      // Incremental, so that Shift can be pressed and released during the drag.
      from.value = draggedBy(from.value, (at - from.at) / (travelPx() || 1), range, event.shiftKey);
      from.at = at;
      onChange(from.value);
    },
    onPointerUp(event: PointerEvent) {
      if (drag.current?.pointer === event.pointerId) drag.current = null;
    },
    onPointerCancel(event: PointerEvent) {
      if (drag.current?.pointer === event.pointerId) drag.current = null;
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const next =
        event.key === 'Delete' || event.key === 'Backspace'
          ? range.rest
          : valueAfterKey(event.key, value, range, event.shiftKey);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      onChange(next);
    },
  } as const;
}
