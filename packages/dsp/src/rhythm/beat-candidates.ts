import { MAX_BPM, MIN_BPM } from './beat-path.ts';

/** How beats were derived from the beats of a path: a multiple of their rate, and which of the possible phases. */
export interface BeatCandidate {
  /** Beats per beat of the path: 1, 2, 3, 1/2, 1/3, 3/2 or 2/3. */
  readonly rate: number;
  /** Delay in beats of the path: 0 to 1 / rate. */
  readonly delay: number;
  /** Seconds, ascending. */
  readonly beats: readonly number[];
}

/** Beats are divided in parts, of which every second or third one is a beat. */
const DIVISIONS = [
  { parts: 1, every: 1 },
  { parts: 2, every: 1 },
  { parts: 2, every: 2 },
  { parts: 3, every: 1 },
  { parts: 3, every: 3 },
  { parts: 3, every: 2 },
  { parts: 1, every: 2 },
  { parts: 1, every: 3 },
  { parts: 2, every: 3 },
];
/** Fewest beats of a candidate. */
const LEAST_BEATS = 4;

/**
 * Returns the beats that may be meant where a path was found: at other metrical levels, and shifted.
 *
 * They are the beats themselves, shifted by a half or a third, two or three times as many, every second or third one,
 * and three for two and two for three, each with all its phases, as far as their tempo is within the range.
 *
 * @param beats seconds, ascending
 */
export function beatCandidates(beats: readonly number[]): BeatCandidate[] {
  const candidates: BeatCandidate[] = [];
  if (beats.length < LEAST_BEATS) return candidates;
  const bpm = (60 * (beats.length - 1)) / ((beats.at(-1) ?? 1) - (beats[0] ?? 0));
  for (const { parts, every } of DIVISIONS) {
    const rate = parts / every;
    if (bpm * rate < MIN_BPM * 0.98 || bpm * rate > MAX_BPM * 1.02) continue;
    const divided = divide(beats, parts);
    for (let first = 0; first < every; first++) {
      const delay = first / parts;
      // These phases are those of another division.
      if (candidates.some((known) => known.rate === rate && Math.abs(known.delay - delay) < 1e-9)) continue;
      const chosen = divided.filter((_, index) => index % every === first);
      if (chosen.length >= LEAST_BEATS) candidates.push({ rate, delay, beats: chosen });
    }
  }
  return candidates;
}

/** Returns the beats with equal parts between them. */
function divide(beats: readonly number[], parts: number): number[] {
  return beats.flatMap((beat, index) => {
    const next = beats[index + 1];
    if (next === undefined) return [beat];
    return Array.from({ length: parts }, (_, part) => beat + (part * (next - beat)) / parts);
  });
}

/** Whether two lists of beats are nearly the same: nine of ten beats within a tenth of an interval. */
export function areSameBeats(one: readonly number[], two: readonly number[]): boolean {
  if (Math.abs(one.length - two.length) > 0.1 * Math.max(one.length, two.length) + 1) return false;
  const tolerance = 0.1 * (((one.at(-1) ?? 0) - (one[0] ?? 0)) / Math.max(1, one.length - 1));
  let at = 0;
  let same = 0;
  for (const beat of one) {
    while (at < two.length && (two[at] ?? 0) < beat - tolerance) at++;
    if (Math.abs((two[at] ?? Infinity) - beat) <= tolerance) same++;
  }
  return same >= 0.9 * one.length;
}

/**
 * Returns which part of the sparser of two lists of beats is in the other one, 0 to 1.
 *
 * It is 1 for the same phase at any level, and 0 for beats that lie between those of the other list.
 */
export function commonPart(one: readonly number[], two: readonly number[]): number {
  const [few, many] = one.length < two.length ? [one, two] : [two, one];
  const tolerance = 0.1 * (((many.at(-1) ?? 0) - (many[0] ?? 0)) / Math.max(1, many.length - 1));
  let at = 0;
  let common = 0;
  for (const beat of few) {
    while (at < many.length && (many[at] ?? 0) < beat - tolerance) at++;
    if (Math.abs((many[at] ?? Infinity) - beat) <= tolerance) common++;
  }
  return few.length > 0 ? common / few.length : 0;
}
