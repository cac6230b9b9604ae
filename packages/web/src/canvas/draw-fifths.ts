import { shortKeyText } from '../base/key-text.ts';
import { circleKeys, fifthOf, radii } from './circle-of-fifths.ts';
import type { Surface } from './time-chart.ts';

const WEDGE = (2 * Math.PI) / 12;
/** Gap between neighbouring keys, in radians. */
const GAP = 0.012;

/**
 * Draws the circle of fifths.
 *
 * @param chroma strength of each pitch class, C first, 0 to 1
 * @param found index of the song's key into the circle's keys, or −1
 * @param shown index of the key under the cursor, or null
 */
export function drawFifths(
  surface: Surface,
  chroma: readonly number[] | null,
  found: number,
  shown: number | null,
): void {
  const { context, width, height, palette } = surface;
  const radius = Math.min(width, height) / 2;
  context.translate(width / 2, height / 2);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const [index, key] of circleKeys.entries()) {
    const [inner, outer] = key.isMinor ? [radii.bars, radii.minor] : [radii.minor, radii.major];
    const isFound = index === found;
    ring(context, key.fifth, inner * radius + 1, outer * radius - 1);
    context.fillStyle = isFound ? palette.chart : palette.raised;
    context.fill();
    if (index === shown) {
      context.lineWidth = 2;
      context.strokeStyle = palette.text;
      context.stroke();
    }
    const angle = key.fifth * WEDGE - Math.PI / 2;
    const middle = ((inner + outer) / 2) * radius;
    const [x, y] = [Math.cos(angle) * middle, Math.sin(angle) * middle];
    context.font = `600 13px ${palette.font}`;
    context.fillStyle = isFound ? palette.onChart : palette.text;
    context.fillText(shortKeyText(key.name), x, y - 6);
    context.font = `500 11px ${palette.font}`;
    context.fillStyle = isFound ? palette.onChart : palette.muted;
    context.fillText(key.camelot, x, y + 8);
  }
  for (const [pitch, part] of (chroma ?? []).entries()) {
    const fifth = fifthOf(pitch);
    ring(context, fifth, radii.middle * radius, (radii.bars - 0.02) * radius);
    context.fillStyle = palette.line;
    context.globalAlpha = 0.5;
    context.fill();
    context.globalAlpha = 1;
    ring(
      context,
      fifth,
      radii.middle * radius,
      (radii.middle + part * (radii.bars - 0.02 - radii.middle)) * radius,
    );
    context.fillStyle = palette.fifths[fifth] ?? palette.wave;
    context.fill();
  }
}

function ring(context: CanvasRenderingContext2D, fifth: number, inner: number, outer: number): void {
  const middle = fifth * WEDGE - Math.PI / 2;
  const from = middle - WEDGE / 2 + GAP;
  const to = middle + WEDGE / 2 - GAP;
  context.beginPath();
  context.arc(0, 0, outer, from, to);
  context.arc(0, 0, inner, to, from, true);
  context.closePath();
}
