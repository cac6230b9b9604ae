import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';

/** What newer analyses find over the time of a song; older ones lack it. */
interface OverTime {
  sections: readonly SongSpan[];
  chords: readonly SongSpan[];
  keys: readonly { start: number; end: number; label?: string; key?: string }[];
  /** One number a second, 0 to 1. */
  energy_curve: readonly number[];
  /** How likely somebody sings, one number a second, 0 to 1. */
  vocal_curve: readonly number[];
  vocal_presence: number;
  tempo_curve: readonly { time: number; bpm: number }[];
  true_peak_db: number;
  valence: number;
  valence_confidence: number;
  danceability: number;
  danceability_confidence: number;
}

/** An analysis as pictures are made of it. */
export type SongAnalysis = Omit<AnalysisResult, keyof OverTime> & Partial<OverTime>;

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
  return (analysis.keys ?? []).map(({ start, end, label, key }) => ({
    start,
    end,
    label: label ?? key ?? '',
  }));
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
