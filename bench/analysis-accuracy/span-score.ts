import { timesF } from './times-f.ts';

/** A labelled segment in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

const NATURALS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/**
 * Reduces a chord to major or minor on a root (`9:min`), without sevenths and sixths; `N` for none; null if it is
 * neither, such as `Bdim` or `Gsus4`. Accepts `Am7`, `A:min7`, `Bb:maj`, `F#maj7`.
 */
export function toMajorMinor(label: string): string | null {
  if (label === 'N') return 'N';
  const [, letter = '', accidentals = '', quality = ''] = /^([A-G])([#b]*):?([^/(]*)/.exec(label) ?? [];
  const natural = NATURALS[letter];
  if (natural === undefined) return null;
  const root = Array.from(accidentals).reduce((pitch, sign) => pitch + (sign === '#' ? 1 : 11), natural) % 12;
  if (/^(maj|6|7|9|11|13)?(6|7|9|13)?$/.test(quality)) return `${root}:maj`;
  return /^(m|min)(6|7|9|11|maj7)?$/.test(quality) ? `${root}:min` : null;
}

/**
 * Returns the fraction of the time in which the estimated chord agrees. Only times with a major or minor chord, or
 * none, count.
 *
 * @see Pauwels and Peeters, "Evaluating automatically estimated chord sequences", ICASSP 2013 (major-minor overlap)
 */
export function chordOverlap(truth: readonly Span[], estimate: readonly Span[]): number {
  let same = 0;
  let total = 0;
  for (const { start, end, label } of truth) {
    const wanted = toMajorMinor(label);
    if (wanted === null) continue;
    total += end - start;
    for (const span of estimate) {
      const both = Math.min(end, span.end) - Math.max(start, span.start);
      if (both > 0 && toMajorMinor(span.label) === wanted) same += both;
    }
  }
  return total > 0 ? same / total : 0;
}

/**
 * Returns the F-measure of section boundaries within a window. They are matched one to one, without the start and end
 * of the truth.
 *
 * @see Turnbull, Lanckriet, Pampalk and Goto, "A supervised approach for detecting boundaries in music using difference
 * features and boosting", ISMIR 2007
 */
export function boundaryF(truth: readonly Span[], estimate: readonly Span[], windowSeconds: number): number {
  const end = Math.max(...truth.map((span) => span.end));
  // A truth that begins after 0 has a boundary there, because the time before it is a segment of its own.
  const wanted = truth.map((span) => span.start).filter((time) => time > 0 && time < end);
  const found = estimate.map((span) => span.start).filter((time) => time > 0 && time < end);
  return timesF(wanted, found, windowSeconds);
}
