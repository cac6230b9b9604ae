import { Canvas, type Colour, circle, mixColours, palette, roundedBox } from './picture/canvas.ts';
import type { CoverDesign } from './picture/cover-design.ts';
import { writePng } from './picture/png.ts';
import { createRandom, type Random } from './random.ts';

/** Width and height of a cover in pixels. */
export const COVER_SIZE = 600;

/** Draws a song's cover: a PNG of 600 × 600 pixels, the same bytes each time. */
export function renderCover(design: CoverDesign): Uint8Array {
  const canvas = new Canvas(COVER_SIZE, COVER_SIZE, palette.ground);
  const random = createRandom(design.seed);
  if (design.motif === 'lanterns') drawLanterns(canvas, random);
  else drawHarbour(canvas, random);
  return writePng(canvas.width, canvas.height, canvas.rgb);
}

function drawDisc(canvas: Canvas, x: number, y: number, radius: number, colour: Colour, opacity = 1): void {
  canvas.fill(
    circle(x, y, radius),
    [x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1],
    colour,
    opacity,
  );
}

/** Paper lanterns that rise over still water. */
function drawLanterns(canvas: Canvas, random: Random): void {
  const horizon = 452;
  for (let star = 0; star < 46; star++) {
    drawDisc(canvas, random() * 600, random() * 400, 0.8 + random() * 1.1, palette.sky, 0.35);
  }
  drawDisc(canvas, 300, horizon, 210, palette.violet, 0.16);
  drawDisc(canvas, 300, horizon, 150, palette.rose, 0.18);
  const lanterns = [
    [300, 250, 92, palette.orange, palette.yellow],
    [130, 178, 52, palette.rose, palette.orange],
    [462, 150, 60, palette.yellow, palette.orange],
    [205, 84, 28, palette.violet, palette.rose],
    [540, 292, 32, palette.rose, palette.violet],
    [58, 330, 30, palette.orange, palette.yellow],
    [386, 62, 20, palette.orange, palette.rose],
  ] as const;
  const water = mixColours(palette.ground, palette.violet, 0.14);
  canvas.fill(roundedBox(300, 600, 620, 2 * (600 - horizon), 0), [0, horizon, 600, 600], water);
  for (const [x, y, width, top, bottom] of lanterns) {
    const height = width * 1.22;
    drawDisc(canvas, x, y, width * 0.95, top, 0.1);
    const box = [x - width / 2, y - height / 2, x + width / 2, y + height / 2] as const;
    canvas.fill(roundedBox(x, y, width, height, width * 0.4), box, top, 1, bottom);
    for (let rib = 1; rib < 5; rib++) {
      const ribY = y - height / 2 + (height * rib) / 5;
      canvas.fill(
        roundedBox(x, ribY, width * 0.94, 1.6, 0.8),
        [box[0], ribY - 2, box[2], ribY + 2],
        palette.ground,
        0.28,
      );
    }
    for (const edge of [-1, 1]) {
      const edgeY = y + (edge * height) / 2;
      canvas.fill(
        roundedBox(x, edgeY, width * 0.42, 6, 3),
        [box[0], edgeY - 5, box[2], edgeY + 5],
        palette.ground,
        0.85,
      );
    }
    // Each lantern's light on the water: shorter stripes the further down.
    for (let stripe = 0; stripe < 5; stripe++) {
      const stripeY = horizon + 12 + stripe * 26 + (x % 7);
      const stripeWidth = width * (1.1 - stripe * 0.18);
      canvas.fill(
        roundedBox(x + (random() - 0.5) * 10, stripeY, stripeWidth, 5, 2.5),
        [x - width, stripeY - 4, x + width, stripeY + 4],
        bottom,
        0.5 - stripe * 0.08,
      );
    }
  }
}

/** A lighthouse, its beam over waves. */
function drawHarbour(canvas: Canvas, random: Random): void {
  for (let star = 0; star < 60; star++) {
    drawDisc(canvas, random() * 600, random() * 330, 0.7 + random() * 1.1, palette.sky, 0.4);
  }
  drawDisc(canvas, 452, 128, 46, palette.yellow, 0.92);
  drawDisc(canvas, 434, 116, 42, palette.ground);
  const lamp = [190, 196] as const;
  const beam = (spread: number, sign: 1 | -1) => (x: number, y: number) => {
    const along = (x - lamp[0]) * sign;
    return along < 0 ? 1 : Math.abs(y - lamp[1] - along * 0.06) - 4 - along * spread;
  };
  canvas.fill(beam(0.2, 1), [lamp[0], 0, 600, 420], palette.yellow, 0.13);
  canvas.fill(beam(0.11, 1), [lamp[0], 0, 600, 420], palette.yellow, 0.2);
  canvas.fill(beam(0.2, -1), [0, 0, lamp[0], 420], palette.yellow, 0.13);
  const tower = (x: number, y: number): number => Math.abs(x - lamp[0]) - 24 - (y - 220) * 0.07;
  const stripes = [palette.rose, [236, 238, 243], palette.rose, [236, 238, 243], palette.rose] as const;
  stripes.forEach((colour, index) => {
    const top = 218 + index * 46;
    canvas.fill(tower, [100, top, 280, top + 46], colour);
  });
  canvas.fill(roundedBox(190, 214, 74, 9, 3), [140, 206, 240, 222], palette.orange);
  canvas.fill(roundedBox(190, 194, 38, 34, 6), [160, 174, 220, 214], palette.yellow);
  canvas.fill((x, y) => Math.abs(x - 190) - (y - 146) * 0.9, [150, 146, 230, 178], palette.orange);
  const waves = [palette.violet, palette.sky, palette.green] as const;
  waves.forEach((colour, index) => {
    const level = 432 + index * 56;
    const wave = (x: number, y: number): number =>
      level + 13 * Math.sin((x / (92 + index * 14)) * Math.PI + index * 1.9) - y;
    canvas.fill(wave, [0, level - 20, 600, 600], mixColours(palette.ground, colour, 0.3 + index * 0.12));
    canvas.fill((x, y) => Math.abs(wave(x, y)) - 2, [0, level - 20, 600, level + 20], colour);
  });
}
