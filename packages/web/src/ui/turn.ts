import { positionOf } from '../base/taper.ts';

/** How far something that is turned or slid goes; `step` is one press of an arrow key. */
export interface TurnRange {
  readonly min: number;
  readonly max: number;
  readonly rest: number;
  readonly step: number;
}

/** A whole range is this many pixels of dragging a knob. */
export const KNOB_TRAVEL_PX = 160;
/** With Shift everything moves so much slower. */
export const FINE = 0.1;
/** Steps of a Page key. */
const PAGE_STEPS = 5;

/** `value` within the range, without the dust that sums of steps leave. */
export function withinRange(value: number, { min, max }: TurnRange): number {
  return Math.min(max, Math.max(min, Math.round(value * 1e6) / 1e6));
}

/** The value after a drag by a share of the whole travel, 1 from one end to the other. */
export function draggedBy(value: number, share: number, range: TurnRange, isFine: boolean): number {
  return withinRange(value + share * (range.max - range.min) * (isFine ? FINE : 1), range);
}

/** The value after a notch of a wheel; up is more. */
export function wheeled(value: number, deltaY: number, range: TurnRange, isFine: boolean): number {
  if (deltaY === 0) return value;
  return withinRange(value - Math.sign(deltaY) * range.step * (isFine ? FINE : 1), range);
}

/** The value after a key, or null where the key does not move a slider. */
export function valueAfterKey(key: string, value: number, range: TurnRange, isFine: boolean): number | null {
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

/** Position of a value on a linear travel, 0 to 1. */
export function shareOf(value: number, range: TurnRange): number {
  return positionOf(value, range, 'linear');
}

/** Angle of a knob, −1 to 1. A knob that goes to both sides of 0 has 0 at the top, however far it goes to each. */
export function turnOf(value: number, range: TurnRange): number {
  return positionOf(value, range, 'centred') * 2 - 1;
}
