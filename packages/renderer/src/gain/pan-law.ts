/**
 * Returns the gain of the left channel at a pan position, −1 (left) to 1 (right); that of the right channel is the gain
 * at the opposite position.
 *
 * The law is that of equal power, raised by 3 dB so that the centre passes samples unchanged: `√2 · cos((pan + 1) · π / 4)`.
 */
export function panGain(pan: number): number {
  if (pan === 0) return 1;
  if (pan >= 1) return 0;
  return Math.SQRT2 * Math.cos(((Math.max(-1, pan) + 1) * Math.PI) / 4);
}
