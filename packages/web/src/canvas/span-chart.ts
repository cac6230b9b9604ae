import { clockText, countText } from '../base/format.ts';
import { type SongSpan, spanAt } from '../state/song-analysis.ts';
import { fifthOf, pitchClassOf } from './circle-of-fifths.ts';
import { type Surface, type TimeChart, xOf } from './time-chart.ts';

const HEIGHT_PX = 32;
const BAR_PX = 4;
const PAD_PX = 4;

/** Returns a chart of labelled spans in a row, coloured by the pitch class in their labels; null for none. */
export function spanChart(
  { id, title, one }: { id: string; title: string; one: string },
  spans: readonly SongSpan[],
): TimeChart | null {
  if (spans.length === 0) return null;
  return {
    id,
    title,
    summary: spans.length === 1 ? `${spans[0]?.label} throughout` : countText(spans.length, one),
    heightPx: HEIGHT_PX,
    labels: [],
    rows: 1,
    stops: spans.map(({ start }) => start),
    draw: (surface) =>
      drawSpans(surface, spans, { top: 0, height: HEIGHT_PX }, ({ label }) => {
        const pitch = pitchClassOf(label);
        return (pitch === null ? null : surface.palette.fifths[fifthOf(pitch)]) ?? surface.palette.lineStrong;
      }),
    read: (seconds) => {
      const span = spanAt(spans, seconds);
      return span ? `${span.label || '–'}, ${clockText(span.start)} to ${clockText(span.end)}` : '–';
    },
    labelAt: (seconds) => spanAt(spans, seconds)?.label ?? '',
    table: () => ({
      columns: ['From', 'To', title],
      rows: spans.map(({ start, end, label }) => [
        `${start.toFixed(2)} s`,
        `${end.toFixed(2)} s`,
        label || '–',
      ]),
    }),
  };
}

/** Draws spans as labelled boxes; a label that does not fit shows at the cursor. */
export function drawSpans(
  surface: Surface,
  spans: readonly SongSpan[],
  { top, height }: { top: number; height: number },
  colourOf: (span: SongSpan) => string,
): void {
  const { context, palette } = surface;
  context.font = `500 12px ${palette.font}`;
  context.textBaseline = 'middle';
  for (const span of spans) {
    const left = xOf(surface, span.start);
    const width = Math.max(1, xOf(surface, span.end) - left - 1);
    context.fillStyle = palette.raised;
    context.fillRect(left, top, width, height);
    context.fillStyle = colourOf(span);
    context.fillRect(left, top + height - BAR_PX, width, BAR_PX);
    if (span.label === '' || context.measureText(span.label).width + 2 * PAD_PX > width) continue;
    context.fillStyle = palette.text;
    context.fillText(span.label, left + PAD_PX, top + (height - BAR_PX) / 2 + 1);
  }
}
