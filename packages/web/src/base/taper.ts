import type { ControlTaper } from '@stem-studio/contract/control-spec';

/** Ends of the travel of a knob or fader, in the unit of its value. */
export interface Travel {
  readonly min: number;
  readonly max: number;
}

/**
 * Position of a value within its travel, 0 to 1; values outside of it are at its ends. The position is 0 where the travel
 * has no length.
 *
 * @param taper `centred` puts 0 in the middle of a travel that goes to both sides of it; else positions are linear
 */
export function positionOf(value: number, { min, max }: Travel, taper: ControlTaper): number {
  if (taper === 'centred' && min < 0 && max > 0)
    return Math.min(1, Math.max(0, 0.5 + (value < 0 ? -value / min : value / max) / 2));
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
}

/**
 * Value at a position of a travel: the inverse of {@link positionOf}.
 *
 * @param position 0 to 1; limited to this range
 */
export function valueAtPosition(position: number, { min, max }: Travel, taper: ControlTaper): number {
  const bounded = Math.min(1, Math.max(0, position));
  if (taper === 'centred' && min < 0 && max > 0)
    return bounded < 0.5 ? min * (1 - 2 * bounded) : max * (2 * bounded - 1);
  return min + bounded * (max - min);
}
