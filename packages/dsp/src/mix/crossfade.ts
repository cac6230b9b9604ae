/** How a crossfader goes over from one side to the other, by its names on the wire. */
export type CrossfadeCurve = 'linear' | 'constant power' | 'sharp cut' | 'slow fade';

/** What each side is multiplied by, 0 to 1. */
export interface CrossfadeGains {
  readonly a: number;
  readonly b: number;
}

/** Half of the way on which a sharp cut goes over, as a part of half the fader: 1 mm of 60. */
const CUT = 1 / 30;

/**
 * What a crossfader lets through of both sides.
 *
 * - `linear`: straight lines; −6 dB each in the middle.
 * - `constant power`: a quarter of a circle; the powers add up to 1 everywhere, −3 dB each in the middle.
 * - `sharp cut`: each side is full up to the middle and gone right behind it.
 * - `slow fade`: constant power with a wide middle: both stay near −3 dB over half of the way.
 *
 * @param position −1 is A alone, 1 is B alone; beyond is taken for the end
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

/** From 1 at −1 to exactly 0 at 1. */
function quarterCircle(position: number): number {
  return position === 1 ? 0 : Math.cos((Math.PI / 4) * (1 + position));
}
