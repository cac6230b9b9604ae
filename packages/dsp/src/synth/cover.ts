import { Canvas, type Colour, circle, mixColours, palette, roundedBox } from './image/canvas.ts';
import type { CoverDesign } from './image/cover-design.ts';
import { writePng } from './image/png.ts';
import { createRandom, type Random } from './random.ts';

/** Width and height of a cover in pixels. */
export const COVER_SIZE = 600;

/** Renders the cover art of a song: a PNG of 600 × 600 pixels, with the same bytes each time. */
export function renderCover(design: CoverDesign): Uint8Array {
  const canvas = new Canvas(COVER_SIZE, COVER_SIZE, palette.ground);
  const random = createRandom(design.seed);
  drawings[design.motif](canvas, random);
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

/** Draws paper lanterns that rise over still water. */
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
    // Reflection of each lantern on the water: stripes that get shorter towards the bottom.
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

/** Draws a lighthouse with its beam over waves. */
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

/** Draws swallows on wires before a low sun. */
function drawSwallows(canvas: Canvas, random: Random): void {
  drawDisc(canvas, 372, 372, 250, palette.rose, 0.1);
  drawDisc(canvas, 372, 372, 196, palette.orange, 0.16);
  canvas.fill(circle(372, 372, 142), [229, 229, 515, 515], palette.yellow, 1, palette.rose);
  const hills = [
    [palette.violet, 452, 150, 0.4],
    [palette.green, 506, 118, 2.3],
  ] as const;
  hills.forEach(([colour, level, length, phase], index) => {
    const hill = (x: number, y: number): number => level + 26 * Math.sin(x / length + phase) - y;
    canvas.fill(hill, [0, level - 30, 600, 600], mixColours(palette.ground, colour, 0.26 + index * 0.08));
  });
  const wireAt = (wire: number, x: number): number => 118 + wire * 74 + 34 * (1 - ((x - 300) / 300) ** 2);
  const wires = [0, 1, 2];
  for (const wire of wires) {
    canvas.fill(
      (x, y) => Math.abs(y - wireAt(wire, x)) - 1.3,
      [0, 110 + wire * 74, 600, 160 + wire * 74],
      palette.sky,
      0.7,
    );
  }
  const pole = mixColours(palette.ground, palette.violet, 0.5);
  canvas.fill(roundedBox(64, 360, 13, 560, 3), [56, 80, 72, 600], pole);
  for (const wire of wires) {
    const y = wireAt(wire, 64);
    canvas.fill(roundedBox(64, y + 4, 92, 8, 3), [16, y - 2, 112, y + 10], pole);
  }
  const seats = [
    [0, 178],
    [0, 236],
    [1, 322],
    [1, 366],
    [2, 150],
    [2, 452],
    [2, 506],
  ] as const;
  seats.forEach(([wire, x]) => drawSittingSwallow(canvas, x, wireAt(wire, x) - 15, random() < 0.5 ? -1 : 1));
  drawFlyingSwallow(canvas, 452, 92, 58);
  drawFlyingSwallow(canvas, 530, 186, 34);
  drawFlyingSwallow(canvas, 300, 64, 26);
}

/** Draws a perched swallow, its feet 15 pixels below `y`: breast, head and the long tail below the wire. */
function drawSittingSwallow(canvas: Canvas, x: number, y: number, facing: -1 | 1): void {
  const ink = mixColours(palette.ground, palette.sky, 0.28);
  const tail = (px: number, py: number): number =>
    Math.abs(px - x + facing * (py - y) * 0.42) - 4.5 + (py - y) * 0.07;
  canvas.fill(tail, [x - 30, y, x + 30, y + 44], ink);
  canvas.fill(roundedBox(x, y, 22, 32, 11), [x - 12, y - 17, x + 12, y + 17], ink);
  canvas.fill(
    roundedBox(x + facing * 4, y + 3, 12, 22, 6),
    [x - 12, y - 9, x + 12, y + 15],
    [236, 238, 243],
    0.92,
  );
  drawDisc(canvas, x + facing * 3, y - 15, 9, ink);
  drawDisc(canvas, x + facing * 6, y - 11, 4.5, palette.orange);
}

/** Draws a flying swallow: two crescents and a forked tail. */
function drawFlyingSwallow(canvas: Canvas, x: number, y: number, span: number): void {
  const wings = (px: number, py: number): number => {
    const away = Math.abs(px - x) / span;
    const middle = y - span * 0.42 * Math.sin(Math.min(1, away) * Math.PI * 0.62) + span * 0.3 * away * away;
    return away > 1 ? 1 : Math.abs(py - middle) - span * 0.12 * (1 - away) ** 0.8;
  };
  const box = [x - span, y - span, x + span, y + span] as const;
  canvas.fill(wings, box, palette.sky);
  const tail = (px: number, py: number): number => {
    const down = (py - y) / span;
    return down < 0 || down > 0.62
      ? 1
      : Math.abs(Math.abs(px - x) - down * span * 0.3) - span * 0.06 * (1.1 - down);
  };
  canvas.fill(tail, box, palette.sky);
}

const drawings: Readonly<Record<CoverDesign['motif'], (canvas: Canvas, random: Random) => void>> = {
  lanterns: drawLanterns,
  harbour: drawHarbour,
  swallows: drawSwallows,
};
