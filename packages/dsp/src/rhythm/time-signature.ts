/** Beats in a bar where nothing says otherwise. */
const USUAL_BEATS = 4;

/**
 * Beats in a bar: the upper number of quarters (`3/4` has three), a third of it of eighths (`6/8` has two beats of
 * three eighths each). Four for whatever is no time signature, and for eighths that do not go into threes.
 */
export function beatsPerBarOf(timeSignature: string): number {
  const [, upper, lower] = /^(\d{1,2})\/(4|8)$/.exec(timeSignature) ?? [];
  const count = Number(upper);
  if (lower === '4' && count > 0) return count;
  return lower === '8' && count > 0 && count % 3 === 0 ? count / 3 : USUAL_BEATS;
}
