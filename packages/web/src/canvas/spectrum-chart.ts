import type { SongAnalysis } from '../state/song-analysis.ts';
import { meanOf, type NumbersOverTime, timeTable } from './chart-table.ts';
import { bandHeight, contrastBands } from './contrast-bands.ts';
import { heatMap } from './heat-map.ts';
import { type Surface, type TimeChart, xOf } from './time-chart.ts';

const rowNames = contrastBands.map(({ name }) => `${name} Hz`);
const ROW_PX = 18;
/** Values of the first and last colour, in dB: noise has about 15 dB, clear tones 30 dB. */
const contrastRangeDb = [5, 35] as const;
/** Most points of a line per pixel. */
const POINTS_PER_PIXEL = 0.5;

const whole = (value: number) => Math.round(value).toLocaleString('en');
const hertz = (value: number) => `${whole(value)} Hz`;
const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
const decibels = (value: number) => `${value.toFixed(1)} dB`;

/**
 * Returns a heat map of spectral contrast by band with lines for centroid and rolloff, or null if an analysis lacks the
 * contrast.
 */
export function spectrumChart(features: NonNullable<SongAnalysis['features']>): TimeChart | null {
  const { frame_seconds: frameSeconds = 0, spectral_contrast: contrast = [] } = features;
  const heat = heatMap(
    {
      id: 'spectrum',
      title: 'Spectral contrast',
      summary: 'Bright: tones above noise. Lines: centroid, rolloff (dashed)',
      rowNames,
      shortNames: contrastBands.map(({ from }) => from),
      rowPx: ROW_PX,
      frameSeconds,
      text: decibels,
      scale: contrastRangeDb,
    },
    contrast,
  );
  if (!heat) return null;
  const isThere = ({ values }: NumbersOverTime) => values.length > 0;
  const { spectral_centroid: centroid = [], spectral_rolloff: rolloff = [] } = features;
  const lines: NumbersOverTime[] = [
    { name: 'Centroid', values: centroid, text: hertz },
    { name: 'Rolloff', values: rolloff, text: hertz },
  ].filter(isThere);
  // Only in the table.
  const others: NumbersOverTime[] = [
    { name: 'Bandwidth', values: features.spectral_bandwidth ?? [], text: hertz },
    { name: 'Zero crossings', values: features.zero_crossing_rate ?? [], text: percent },
  ].filter(isThere);
  const bands = contrast.map((values, band) => ({ name: rowNames[band] ?? '', values, text: decibels }));
  return {
    ...heat,
    draw: (surface) => {
      heat.draw(surface);
      drawLine(surface, centroid, frameSeconds, []);
      drawLine(surface, rolloff, frameSeconds, [4, 3]);
    },
    read: (seconds, row) => {
      const at = (values: readonly number[]) =>
        values[Math.min(values.length - 1, Math.max(0, Math.floor(seconds / frameSeconds)))] ?? 0;
      const values = lines.map(({ name, values }) => `${name.toLowerCase()} ${whole(at(values))}`);
      return [heat.read(seconds, row), ...(values.length > 0 ? [`${values.join(', ')} Hz`] : [])].join(' · ');
    },
    table: () => timeTable([...bands, ...lines, ...others], frameSeconds),
  };
}

function drawLine(
  surface: Surface,
  values: readonly number[],
  frameSeconds: number,
  dash: readonly number[],
): void {
  if (values.length === 0) return;
  const { context, width, height, palette } = surface;
  const points = Math.max(1, Math.min(values.length, Math.round(width * POINTS_PER_PIXEL)));
  context.beginPath();
  for (let point = 0; point < points; point++) {
    const start = Math.floor((point / points) * values.length);
    const end = Math.max(start + 1, Math.floor(((point + 1) / points) * values.length));
    const x = xOf(surface, ((start + end) / 2) * frameSeconds);
    context.lineTo(x, height * (1 - bandHeight(meanOf(values, start, end))));
  }
  context.lineJoin = 'round';
  // A dark edge separates the line from bright areas.
  context.lineWidth = 4;
  context.strokeStyle = palette.line;
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = palette.parts[1] ?? palette.text;
  context.setLineDash([...dash]);
  context.stroke();
  context.setLineDash([]);
}
