import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { gridFields, rhythmFields } from '@stem-studio/contract/resources/beat-grid';

/** Fields of an analysis that are single numbers; `figures.ts` defines how each is shown. */
export type NumberField = {
  [Field in keyof AnalysisResult]-?: number extends AnalysisResult[Field] ? Field : never;
}[keyof AnalysisResult];

/** Fields of an analysis that are not shown as numbers but as charts, as text, or by the beat grid. */
type OtherField =
  | keyof typeof gridFields
  | keyof typeof rhythmFields
  | 'rhythm_alternatives'
  | 'sections'
  | 'key'
  | 'camelot'
  | 'keys'
  | 'chords'
  | 'energy_curve'
  | 'vocal_curve'
  | 'spectral_contrast'
  | 'features';

type NotShown = Exclude<keyof AnalysisResult, NumberField | OtherField>;

/** Analysis as shown by the page. A field that is not listed above is a type error wherever an analysis is shown. */
export type SongAnalysis = [NotShown] extends [never] ? AnalysisResult : { readonly notShown: NotShown };

/** Labelled span of a track: a section, a chord or a key, in seconds. */
export interface SongSpan {
  start: number;
  end: number;
  label: string;
}

/** Point of a curve over the track. */
export interface CurvePoint {
  seconds: number;
  value: number;
}

/** Number of beats on each side from which a local tempo is estimated; fewer would show the jitter of single beats. */
const BEATS_ABOUT = 4;

/**
 * Returns the tempo over the track: the curve of the analysis, or one derived from its beats; empty if there are too
 * few.
 */
export function tempoCurveOf(analysis: SongAnalysis): CurvePoint[] {
  const curve = analysis.tempo_curve ?? [];
  if (curve.length > 0) return curve.map(({ time, bpm }) => ({ seconds: time, value: bpm }));
  const beats = analysis.beats ?? [];
  const points: CurvePoint[] = [];
  for (let i = 0; i < beats.length; i++) {
    const from = Math.max(0, i - BEATS_ABOUT);
    const to = Math.min(beats.length - 1, i + BEATS_ABOUT);
    const seconds = (beats[to] ?? 0) - (beats[from] ?? 0);
    if (to - from < BEATS_ABOUT || seconds <= 0) continue;
    points.push({ seconds: beats[i] ?? 0, value: (60 * (to - from)) / seconds });
  }
  return points;
}

/** Label of a span without a chord in an analysis. */
const NO_CHORD = 'N';

/** Returns the chords in order; a span without a chord has an empty label. */
export function chordSpansOf(analysis: SongAnalysis): SongSpan[] {
  return (analysis.chords ?? []).map((span) => (span.label === NO_CHORD ? { ...span, label: '' } : span));
}

/** Returns the keys of the track over time. */
export function keySpansOf(analysis: SongAnalysis): SongSpan[] {
  return (analysis.keys ?? []).map(({ start, end, key }) => ({ start, end, label: key }));
}

/** Returns the energy over the track, 0 to 1, one point per second in the middle of that second. */
export function energyCurveOf(analysis: SongAnalysis): CurvePoint[] {
  return (analysis.energy_curve ?? []).map((value, second) => ({ seconds: second + 0.5, value }));
}

/** Returns the probability of singing over the track, 0 to 1, one point per second in the middle of that second. */
export function vocalCurveOf(analysis: SongAnalysis): CurvePoint[] {
  return (analysis.vocal_curve ?? []).map((value, second) => ({ seconds: second + 0.5, value }));
}

/** Returns how many of `times` (ascending) are at or before a position. */
export function countUntil(times: readonly number[], seconds: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the span at a position, or null; `spans` are ascending. */
export function spanAt(spans: readonly SongSpan[], seconds: number): SongSpan | null {
  return spans.find((span) => seconds >= span.start && seconds < span.end) ?? null;
}

/**
 * Returns the value of a curve at a position, linearly interpolated and constant beyond its ends; null for an empty
 * curve.
 */
export function valueAt(points: readonly CurvePoint[], seconds: number): number | null {
  const after = points.findIndex((point) => point.seconds >= seconds);
  const right = after < 0 ? points.at(-1) : points[after];
  const left = after <= 0 ? right : points[after - 1];
  if (!right || !left) return null;
  if (right.seconds === left.seconds) return right.value;
  const part = (seconds - left.seconds) / (right.seconds - left.seconds);
  return left.value + Math.min(1, part) * (right.value - left.value);
}

/** Returns bar and beat of a position, both from 1; null before the first bar. */
export function barBeatAt(
  beats: readonly number[],
  downbeats: readonly number[],
  seconds: number,
): { readonly bar: number; readonly beat: number } | null {
  const bar = countUntil(downbeats, seconds);
  if (bar === 0) return null;
  const first = countUntil(beats, (downbeats[bar - 1] ?? 0) - 0.01);
  return { bar, beat: Math.max(1, countUntil(beats, seconds) - first) };
}

/** Formats a position in bars and beats, `bar 12, beat 3`; empty before the first bar. */
export function barText(beats: readonly number[], downbeats: readonly number[], seconds: number): string {
  const found = barBeatAt(beats, downbeats, seconds);
  return found ? `bar ${found.bar}, beat ${found.beat}` : '';
}
