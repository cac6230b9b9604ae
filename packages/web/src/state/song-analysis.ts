import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { gridFields, rhythmFields } from '@stem-studio/contract/resources/beat-grid';

/** Fields of an analysis that are single numbers: `figures.ts` says of each how it is shown. */
export type NumberField = {
  [Field in keyof AnalysisResult]-?: number extends AnalysisResult[Field] ? Field : never;
}[keyof AnalysisResult];

/** Fields of an analysis that are shown in another form than as a number: as charts, as text, or by the beat grid. */
type OtherField =
  | keyof typeof gridFields
  | keyof typeof rhythmFields
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

/** Analysis as the page shows it. A field that is not listed above is a type error wherever an analysis is shown. */
export type SongAnalysis = [NotShown] extends [never] ? AnalysisResult : { readonly notShown: NotShown };

/** A stretch of a song with a name: a part, a chord or a key. Seconds. */
export interface SongSpan {
  start: number;
  end: number;
  label: string;
}

/** A place on a curve over the song. */
export interface CurvePoint {
  seconds: number;
  value: number;
}

/** Beats on each side over which a tempo is told where no curve came: shorter ones show the jitter of single beats. */
const BEATS_ABOUT = 4;

/**
 * The tempo over the song: the analysis's own curve, or one made of its beats; empty where there are too few.
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

/** What an analysis calls a stretch without a chord. */
const NO_CHORD = 'N';

/** The chords one after another; a stretch without one has no label. */
export function chordSpansOf(analysis: SongAnalysis): SongSpan[] {
  return (analysis.chords ?? []).map((span) => (span.label === NO_CHORD ? { ...span, label: '' } : span));
}

/** The keys that the song goes through. */
export function keySpansOf(analysis: SongAnalysis): SongSpan[] {
  return (analysis.keys ?? []).map(({ start, end, key }) => ({ start, end, label: key }));
}

/** Energy over the song, 0 to 1, one point a second at the middle of that second. */
export function energyCurveOf(analysis: SongAnalysis): CurvePoint[] {
  return (analysis.energy_curve ?? []).map((value, second) => ({ seconds: second + 0.5, value }));
}

/** How likely somebody sings over the song, 0 to 1, one point a second at the middle of that second. */
export function vocalCurveOf(analysis: SongAnalysis): CurvePoint[] {
  return (analysis.vocal_curve ?? []).map((value, second) => ({ seconds: second + 0.5, value }));
}

/** How many of `times` (ascending) are at or before a place. */
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

/** The span at a place, or null; `spans` ascend. */
export function spanAt(spans: readonly SongSpan[], seconds: number): SongSpan | null {
  return spans.find((span) => seconds >= span.start && seconds < span.end) ?? null;
}

/** A curve's value at a place, straight between its points; its ends go on. Null where it has none. */
export function valueAt(points: readonly CurvePoint[], seconds: number): number | null {
  const after = points.findIndex((point) => point.seconds >= seconds);
  const right = after < 0 ? points.at(-1) : points[after];
  const left = after <= 0 ? right : points[after - 1];
  if (!right || !left) return null;
  if (right.seconds === left.seconds) return right.value;
  const part = (seconds - left.seconds) / (right.seconds - left.seconds);
  return left.value + Math.min(1, part) * (right.value - left.value);
}

/** Where in bars and beats a place is, `bar 12, beat 3`; empty before the first bar. */
export function barText(beats: readonly number[], downbeats: readonly number[], seconds: number): string {
  const bar = countUntil(downbeats, seconds);
  if (bar === 0) return '';
  const first = countUntil(beats, (downbeats[bar - 1] ?? 0) - 0.01);
  return `bar ${bar}, beat ${Math.max(1, countUntil(beats, seconds) - first)}`;
}
