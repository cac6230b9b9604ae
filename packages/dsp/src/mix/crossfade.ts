/** Curve of a crossfader, by its wire name. */
export type CrossfadeCurve = 'linear' | 'constant power' | 'sharp cut' | 'slow fade';

/** Gain of each side, 0 to 1. */
export interface CrossfadeGains {
  readonly a: number;
  readonly b: number;
}

/** Travel over which a sharp cut fades, as a fraction of half the fader: 1 mm of 60. */
const CUT = 1 / 30;

/**
 * Returns the gains of both sides of a crossfader.
 *
 * - `linear`: straight lines; −6 dB each in the middle.
 * - `constant power`: a quarter of a circle; the powers sum to 1 everywhere, −3 dB each in the middle.
 * - `sharp cut`: each side has full gain up to the middle and none just beyond it.
 * - `slow fade`: constant power with a wide middle: both stay near −3 dB over half of the travel.
 *
 * @param position −1 is A alone, 1 is B alone; values beyond are clamped
 * @spec Crossfader curves
 */
export function crossfadeGains(curve: CrossfadeCurve, position: number): CrossfadeGains {
  const held = Math.min(1, Math.max(-1, position));
  return { a: gainOfA(curve, held), b: gainOfA(curve, -held) };
}

function gainOfA(curve: CrossfadeCurve, position: number): number {
  switch (curve) {
    case 'linear':
      return (1 - position) / 2;
    case 'constant power':
      return quarterCircle(position);
    case 'sharp cut':
      return quarterCircle(Math.min(1, Math.max(-1, position / CUT)));
    case 'slow fade':
      return quarterCircle(position ** 3);
  }
}

/** Falls from 1 at −1 to exactly 0 at 1. */
function quarterCircle(position: number): number {
  return position === 1 ? 0 : Math.cos((Math.PI / 4) * (1 + position));
}
