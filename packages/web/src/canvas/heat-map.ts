import { meanOf, timeTable } from './chart-table.ts';
import type { Surface, TimeChart } from './time-chart.ts';

/** Title, rows and texts of a matrix over time. */
export interface HeatMapOptions {
  id: string;
  title: string;
  summary: string;
  /** Names of the rows, in the order of the matrix; the first is drawn at the bottom. */
  rowNames: readonly string[];
  /** Short names for the axis. */
  shortNames: readonly string[];
  rowPx: number;
  frameSeconds: number;
  text: (value: number) => string;
  /** Values of the first and last colour; `row` scales each row by its own values. */
  scale: readonly [least: number, most: number] | 'row';
}

/** Returns a heat map of a matrix, or null for an empty one. */
export function heatMap(options: HeatMapOptions, matrix: readonly (readonly number[])[]): TimeChart | null {
  const columns = matrix[0]?.length ?? 0;
  if (columns === 0 || options.frameSeconds <= 0) return null;
  const { id, title, summary, rowNames, shortNames, rowPx, frameSeconds, text, scale } = options;
  const scales = scalesOf(matrix, scale);
  const columnAt = (seconds: number) =>
    Math.min(columns - 1, Math.max(0, Math.floor(seconds / frameSeconds)));
  return {
    id,
    title,
    summary,
    heightPx: rowPx * matrix.length,
    labels: shortNames.slice(0, matrix.length).toReversed(),
    rows: matrix.length,
    stops: [],
    draw: (surface) => drawMatrix(surface, matrix, scales, frameSeconds),
    read: (seconds, row) => {
      const column = columnAt(seconds);
      const index = row === null ? strongestRow(matrix, scales, column) : matrix.length - 1 - row;
      return `${rowNames[index] ?? ''} ${text(matrix[index]?.[column] ?? 0)}`;
    },
    table: () =>
      timeTable(
        matrix.map((values, row) => ({ name: rowNames[row] ?? '', values, text })),
        frameSeconds,
      ),
  };
}

/** Returns the values of the first and last colour of each row. */
interface Scale {
  least: number;
  most: number;
}

function scalesOf(matrix: readonly (readonly number[])[], scale: HeatMapOptions['scale']): Scale[] {
  if (scale !== 'row') return matrix.map(() => ({ least: scale[0], most: scale[1] }));
  return matrix.map((row) => {
    const sorted = row.toSorted((a, b) => a - b);
    // A single click must not compress the colours of all other values.
    const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    return { least: at(0.02), most: at(0.98) };
  });
}

function partOf(value: number, { least, most }: Scale): number {
  return most > least ? Math.min(1, Math.max(0, (value - least) / (most - least))) : 0;
}

function strongestRow(
  matrix: readonly (readonly number[])[],
  scales: readonly Scale[],
  column: number,
): number {
  let best = 0;
  let most = -1;
  for (const [index, row] of matrix.entries()) {
    const part = partOf(row[column] ?? 0, scales[index] ?? { least: 0, most: 1 });
    if (part > most) {
      most = part;
      best = index;
    }
  }
  return best;
}

function drawMatrix(
  { context, width, height, palette, durationSeconds }: Surface,
  matrix: readonly (readonly number[])[],
  scales: readonly Scale[],
  frameSeconds: number,
): void {
  const columns = matrix[0]?.length ?? 0;
  // At most one column per pixel, each the mean of the values it covers.
  const shown = Math.max(1, Math.min(columns, Math.round(width * 2)));
  const image = context.createImageData(shown, matrix.length);
  for (const [index, row] of matrix.entries()) {
    const y = matrix.length - 1 - index;
    const scale = scales[index] ?? { least: 0, most: 1 };
    for (let x = 0; x < shown; x++) {
      const start = Math.floor((x / shown) * columns);
      const end = Math.max(start + 1, Math.floor(((x + 1) / shown) * columns));
      const color = 3 * Math.round(255 * partOf(meanOf(row, start, end), scale));
      const at = 4 * (y * shown + x);
      image.data[at] = palette.heat[color] ?? 0;
      image.data[at + 1] = palette.heat[color + 1] ?? 0;
      image.data[at + 2] = palette.heat[color + 2] ?? 0;
      image.data[at + 3] = 255;
    }
  }
  const pixels = document.createElement('canvas');
  pixels.width = shown;
  pixels.height = matrix.length;
  pixels.getContext('2d')?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  const reach = durationSeconds > 0 ? Math.min(1.01, (columns * frameSeconds) / durationSeconds) : 1;
  context.drawImage(pixels, 0, 0, width * reach, height);
}
