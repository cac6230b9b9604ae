import type { Scope } from '@stem-studio/audio/base/scope';
import type { Cue } from '@stem-studio/contract/resources/cue';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import { clockText } from '../base/format.ts';
import { sectionTitle } from '../base/section-text.ts';
import type { SongSpan } from '../state/song-analysis.ts';
import { fifthOf, pitchClassOf } from './circle-of-fifths.ts';
import { type Palette, readPalette } from './palette.ts';
import { drawSpans } from './span-chart.ts';
import type { Surface } from './time-chart.ts';
import { partColours } from './waveform-chart.ts';

const RULER_PX = 20;
const BARS_PX = 16;
const SPANS_PX = 18;
/** Width and height of a cue point's flag. */
const FLAG_PX = 8;
/** Least distance between two time labels, and between two bar numbers. */
const TIME_LABEL_PX = 72;
const BAR_LABEL_PX = 34;
/** Least distance between two bar lines. */
const CLOSEST_BARS_PX = 5;
/** Steps of the time labels in seconds. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200] as const;

/** What the timeline above the lanes shows; empty lists take no row. */
export interface TimelineContent {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly sections: readonly SongSpan[];
  /** Chords as musicians spell them; an empty label is no chord. */
  readonly chords: readonly SongSpan[];
  readonly cues: readonly Cue[];
}

/** Visible part of the song, in seconds. */
interface TimelineWindow {
  readonly fromSeconds: number;
  readonly spanSeconds: number;
}

/** Returns the height of a timeline in pixels. */
export function timelineHeightPx({ downbeats, sections, chords }: TimelineContent): number {
  const spans = [sections, chords].filter(({ length }) => length > 0).length;
  return RULER_PX + (downbeats.length > 0 ? BARS_PX : 0) + spans * SPANS_PX;
}

/** Returns the step of the time labels in seconds, so that they do not overlap. */
export function timeStep(spanSeconds: number, widthPx: number): number {
  const least = (spanSeconds * TIME_LABEL_PX) / Math.max(1, widthPx);
  return TIME_STEPS.find((step) => step >= least) ?? Math.ceil(least / 1200) * 1200;
}

/** Returns how many bars are between two bar numbers: 1, 2, 4, 8 …, so that they do not overlap. */
export function barStep(barPx: number): number {
  let step = 1;
  while (step * barPx < BAR_LABEL_PX && step < 1024) step *= 2;
  return step;
}

/**
 * Draws time, bars, sections, chords and cue points above the lanes until `scope` ends: when the window, the content or
 * the size has changed.
 */
export function openTimelineCanvas(
  scope: Scope,
  canvas: HTMLCanvasElement,
  content: TimelineContent,
  window: () => TimelineWindow,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const palette = readPalette(canvas, context);
  let drawn: TimelineWindow | null = null;
  scope.onResize(canvas, () => {
    drawn = null;
  });
  // Labels need the page's font.
  void document.fonts.ready.then(() => {
    drawn = null;
  });
  scope.onAnimationFrame(() => {
    const now = window();
    if (now === drawn) return;
    drawn = now;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = canvas;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (now.spanSeconds > 0 && width > 0) drawTimeline({ context, palette, width, height, content, ...now });
  });
}

interface Drawing extends TimelineWindow {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  readonly content: TimelineContent;
}

const xOf = ({ fromSeconds, spanSeconds, width }: Drawing, seconds: number): number =>
  ((seconds - fromSeconds) / spanSeconds) * width;

function drawTimeline(drawing: Drawing): void {
  const { content } = drawing;
  drawTimes(drawing);
  let top = RULER_PX;
  if (content.downbeats.length > 0) {
    drawBars(drawing, top);
    top += BARS_PX;
  }
  for (const [spans, isChords] of [
    [content.sections, false],
    [content.chords, true],
  ] as const) {
    if (spans.length === 0) continue;
    drawSpanRow(drawing, spans, isChords, top);
    top += SPANS_PX;
  }
  drawCues(drawing);
}

function drawTimes(drawing: Drawing): void {
  const { context, palette, width, fromSeconds, spanSeconds } = drawing;
  const step = timeStep(spanSeconds, width);
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  for (let at = Math.ceil(fromSeconds / step) * step; at < fromSeconds + spanSeconds; at += step) {
    const x = Math.round(xOf(drawing, at));
    context.fillStyle = palette.lineStrong;
    context.fillRect(x, 6, 1, RULER_PX - 6);
    context.fillStyle = palette.muted;
    context.fillText(clockText(at), x + 4, RULER_PX / 2 + 1);
  }
}

function drawBars(drawing: Drawing, top: number): void {
  const { context, palette, width, fromSeconds, spanSeconds, content } = drawing;
  const { downbeats } = content;
  const first = Math.max(0, firstFrom(downbeats, fromSeconds) - 1);
  const end = firstFrom(downbeats, fromSeconds + spanSeconds);
  const barPx = width / Math.max(1, end - first);
  const step = barStep(barPx);
  context.font = `600 11px ${palette.font}`;
  for (let bar = first; bar < end; bar++) {
    const x = Math.round(xOf(drawing, downbeats[bar] ?? 0));
    const isNumbered = bar % step === 0;
    if (!isNumbered && barPx < CLOSEST_BARS_PX) continue;
    context.fillStyle = isNumbered ? palette.lineStrong : palette.line;
    context.fillRect(x, isNumbered ? top : top + BARS_PX / 2, 1, isNumbered ? BARS_PX : BARS_PX / 2);
    if (!isNumbered) continue;
    context.fillStyle = palette.text;
    context.fillText(String(bar + 1), x + 4, top + BARS_PX / 2 + 1);
  }
}

function drawSpanRow(drawing: Drawing, spans: readonly SongSpan[], isChords: boolean, top: number): void {
  const { context, palette, width, height, fromSeconds, spanSeconds } = drawing;
  const surface: Surface = { context, palette, width, height, durationSeconds: spanSeconds };
  const partColour = partColours(spans, surface);
  // A span that begins before the window shows its label at the left edge.
  const visible = spans
    .filter(({ start, end, label }) => label !== '' && end > fromSeconds && start < fromSeconds + spanSeconds)
    .map(({ start, end, label }) => ({
      start: Math.max(0, start - fromSeconds),
      end: end - fromSeconds,
      label: isChords ? label : sectionTitle(label),
    }));
  const titles = new Map(spans.map(({ label }) => [sectionTitle(label), label]));
  drawSpans(surface, visible, { top, height: SPANS_PX - 1 }, (span) => {
    if (!isChords) return partColour({ ...span, label: titles.get(span.label) ?? span.label });
    const pitch = pitchClassOf(span.label);
    return (pitch === null ? null : palette.fifths[fifthOf(pitch)]) ?? palette.lineStrong;
  });
}

function drawCues(drawing: Drawing): void {
  const { context, width, height, content } = drawing;
  for (const { position_ms, color } of content.cues) {
    const x = Math.round(xOf(drawing, position_ms / 1000));
    if (x < -FLAG_PX || x > width) continue;
    context.fillStyle = color;
    context.globalAlpha = 0.5;
    context.fillRect(x, FLAG_PX, 1, height - FLAG_PX);
    context.globalAlpha = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x + FLAG_PX, 0);
    context.lineTo(x, FLAG_PX);
    context.fill();
  }
}
