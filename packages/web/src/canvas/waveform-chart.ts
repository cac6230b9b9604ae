import type { Cue } from '@stem-studio/contract/resources/cue';
import { clockText, countText } from '../base/format.ts';
import { sectionTitle } from '../base/section-text.ts';
import type { DrawablePeaks } from '../client/peaks-query.ts';
import { barText, type SongAnalysis, type SongSpan, spanAt } from '../state/song-analysis.ts';
import { fillPeaks } from './draw-peaks.ts';
import { drawSpans } from './span-chart.ts';
import { type Surface, type TimeChart, xOf } from './time-chart.ts';

const SECTIONS_PX = 22;
const WAVE_PX = 72;
const BEATS_PX = 8;
/** Width and height of a cue point's flag. */
const FLAG_PX = 8;
/** Below this distance, beats are not drawn. */
const CLOSEST_PX = 4;

/** Returns a chart of the waveform with beats, bars, sections and cue points, or null if all are missing. */
export function waveformChart(
  analysis: SongAnalysis,
  peaks: DrawablePeaks | null,
  cues: readonly Cue[] = [],
): TimeChart | null {
  const { beats = [], downbeats = [], sections = [] } = analysis;
  if (!peaks && beats.length === 0 && sections.length === 0) return null;
  const top = sections.length > 0 ? SECTIONS_PX : 0;
  const titled = sections.map((span) => ({ ...span, label: sectionTitle(span.label) }));
  return {
    id: 'waveform',
    title: 'Waveform',
    summary: [
      sections.length > 0 ? countText(sections.length, 'section') : '',
      countText(downbeats.length, 'bar'),
      countText(beats.length, 'beat'),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    heightPx: top + WAVE_PX + BEATS_PX,
    labels: [],
    rows: 1,
    stops: downbeats.length > 0 ? downbeats : beats,
    draw: (surface) => {
      if (top > 0) drawSpans(surface, titled, { top: 0, height: top - 2 }, partColours(titled, surface));
      drawWave(surface, peaks, top);
      drawMarks(surface, downbeats, { top, height: WAVE_PX + BEATS_PX }, surface.palette.lineStrong);
      drawCues(surface, cues, { top, height: WAVE_PX });
      drawMarks(surface, beats, { top: top + WAVE_PX, height: BEATS_PX }, surface.palette.muted);
    },
    read: (seconds) =>
      [barText(beats, downbeats, seconds), spanAt(sections, seconds)?.label ?? '', cueText(cues, seconds)]
        .filter((part) => part !== '')
        .join(' · ') || 'before the first bar',
    table: () => ({
      columns: ['Bar', 'Start', 'Section'],
      rows: downbeats.map((seconds, i) => [
        `Bar ${i + 1}`,
        `${seconds.toFixed(2)} s (${clockText(seconds)})`,
        spanAt(sections, seconds)?.label ?? '–',
      ]),
    }),
  };
}

/** Distance within which the cursor reads a cue point. */
const NEAR_SECONDS = 0.5;

/** Text of the cue point near a position; empty for none. */
function cueText(cues: readonly Cue[], seconds: number): string {
  const distance = (cue: Cue): number => Math.abs(cue.position_ms / 1000 - seconds);
  const near = cues.filter((cue) => distance(cue) <= NEAR_SECONDS);
  const [first] = near.toSorted((left, right) => distance(left) - distance(right));
  return first ? `cue: ${first.label}` : '';
}

/** Draws a line with a flag at each cue point, in its colour. */
function drawCues(
  surface: Surface,
  cues: readonly Cue[],
  { top, height }: { top: number; height: number },
): void {
  const { context } = surface;
  for (const { position_ms, color } of cues) {
    const left = Math.round(xOf(surface, position_ms / 1000));
    context.fillStyle = color;
    context.fillRect(left, top, 1, height);
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(left + FLAG_PX, top);
    context.lineTo(left, top + FLAG_PX);
    context.fill();
  }
}

function drawWave({ context, width, palette }: Surface, peaks: DrawablePeaks | null, top: number): void {
  if (!peaks) return;
  context.save();
  context.translate(0, top);
  context.fillStyle = palette.wave;
  fillPeaks(context, { left: 0, width, height: WAVE_PX }, peaks, { from: 0, to: peaks.max.length });
  context.restore();
}

function drawMarks(
  surface: Surface,
  times: readonly number[],
  { top, height }: { top: number; height: number },
  colour: string,
): void {
  const { context, width } = surface;
  // If there is no space for all, every second, fourth, eighth … is drawn.
  let every = 1;
  while ((width * every) / Math.max(1, times.length) < CLOSEST_PX) every *= 2;
  context.fillStyle = colour;
  for (let i = 0; i < times.length; i += every)
    context.fillRect(Math.round(xOf(surface, times[i] ?? 0)), top, 1, height);
}

/** Returns the colour of a section; sections with the same label share one. */
export function partColours(sections: readonly SongSpan[], { palette }: Surface): (span: SongSpan) => string {
  const names = [...new Set(sections.map(({ label }) => label))];
  return ({ label }) => palette.parts[names.indexOf(label) % palette.parts.length] ?? palette.muted;
}
