import { positionOf } from '../base/taper.ts';

/** Range of a knob or fader; `step` is one press of an arrow key. */
export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly rest: number;
  readonly step: number;
}

/** Drag distance for the whole range of a knob, in pixels. */
export const KNOB_TRAVEL_PX = 160;
/** Factor on movements while Shift is held. */
export const FINE = 0.1;
/** Number of steps of a Page key. */
const PAGE_STEPS = 5;

/** Returns `value` limited to the range, without the rounding errors of summed steps. */
export function withinRange(value: number, { min, max }: SliderRange): number {
  return Math.min(max, Math.max(min, Math.round(value * 1e6) / 1e6));
}

/**
 * Returns the value after a drag.
 *
 * @param share part of the travel, 1 from one end to the other
 */
export function draggedBy(value: number, share: number, range: SliderRange, isFine: boolean): number {
  return withinRange(value + share * (range.max - range.min) * (isFine ? FINE : 1), range);
}

/** Returns the value after a wheel notch; up increases. */
export function wheeled(value: number, deltaY: number, range: SliderRange, isFine: boolean): number {
  if (deltaY === 0) return value;
  return withinRange(value - Math.sign(deltaY) * range.step * (isFine ? FINE : 1), range);
}

/** Returns the value after a key, or null if the key does not move a slider. */
export function valueAfterKey(
  key: string,
  value: number,
  range: SliderRange,
  isFine: boolean,
): number | null {
  const step = range.step * (isFine ? FINE : 1);
  switch (key) {
    case 'ArrowUp':
    case 'ArrowRight':
      return withinRange(value + step, range);
    case 'ArrowDown':
    case 'ArrowLeft':
      return withinRange(value - step, range);
    case 'PageUp':
      return withinRange(value + PAGE_STEPS * range.step, range);
    case 'PageDown':
      return withinRange(value - PAGE_STEPS * range.step, range);
    case 'Home':
      return range.min;
    case 'End':
      return range.max;
    default:
      return null;
  }
}

/** Returns the position of a value on a linear travel, 0 to 1. */
export function travelOf(value: number, range: SliderRange): number {
  return positionOf(value, range, 'linear');
}

/** Returns the angle of a knob, −1 to 1. A range to both sides of 0 has 0 at the top, even if it is asymmetric. */
export function knobPositionOf(value: number, range: SliderRange): number {
  return positionOf(value, range, 'centred') * 2 - 1;
}
