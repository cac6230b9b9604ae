import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { fillPeaks } from '../../ui/draw-peaks.ts';
import { clockText, countText } from '../../ui/format.ts';
import { type Surface, type TimePicture, xOf } from './picture.ts';
import { barText, type SongAnalysis, type SongSpan, spanAt } from './song-analysis.ts';
import { drawSpans } from './span-picture.ts';

const SECTIONS_PX = 22;
const WAVE_PX = 72;
const BEATS_PX = 8;
/** Marks closer than this are a grey field that says nothing. */
const CLOSEST_PX = 4;

/** The waveform with its beats, bars and parts; null where nothing of it is known. */
export function waveformPicture(analysis: SongAnalysis, peaks: DrawablePeaks | null): TimePicture | null {
  const { beats = [], downbeats = [], sections = [] } = analysis;
  if (!peaks && beats.length === 0 && sections.length === 0) return null;
  const top = sections.length > 0 ? SECTIONS_PX : 0;
  return {
    id: 'waveform',
    title: 'Waveform',
    summary: [
      sections.length > 0 ? countText(sections.length, 'part') : '',
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
      if (top > 0) drawSpans(surface, sections, { top: 0, height: top - 2 }, partColours(sections, surface));
      drawWave(surface, peaks, top);
      drawMarks(surface, downbeats, { top, height: WAVE_PX + BEATS_PX }, surface.palette.lineStrong);
      drawMarks(surface, beats, { top: top + WAVE_PX, height: BEATS_PX }, surface.palette.muted);
    },
    read: (seconds) =>
      [barText(beats, downbeats, seconds), spanAt(sections, seconds)?.label ?? '']
        .filter((part) => part !== '')
        .join(' · ') || 'before the first bar',
    table: () => ({
      columns: ['Bar', 'Begins', 'Part'],
      rows: downbeats.map((seconds, i) => [
        `Bar ${i + 1}`,
        `${seconds.toFixed(2)} s (${clockText(seconds)})`,
        spanAt(sections, seconds)?.label ?? '–',
      ]),
    }),
  };
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
  // Where all do not fit, every second, fourth, eighth … is drawn.
  let every = 1;
  while ((width * every) / Math.max(1, times.length) < CLOSEST_PX) every *= 2;
  context.fillStyle = colour;
  for (let i = 0; i < times.length; i += every)
    context.fillRect(Math.round(xOf(surface, times[i] ?? 0)), top, 1, height);
}

/** The same part has the same colour wherever it returns. */
function partColours(sections: readonly SongSpan[], { palette }: Surface): (span: SongSpan) => string {
  const names = [...new Set(sections.map(({ label }) => label))];
  return ({ label }) => palette.parts[names.indexOf(label) % palette.parts.length] ?? palette.muted;
}
