/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

/** Palette of the application. */
export const palette = {
  ground: [0x0d, 0x0e, 0x11],
  sky: [0x35, 0xc4, 0xf0],
  orange: [0xff, 0x8f, 0x40],
  rose: [0xf4, 0x62, 0x8f],
  violet: [0x8f, 0x7b, 0xff],
  green: [0x3f, 0xd0, 0xa8],
  yellow: [0xff, 0xc2, 0x4b],
} as const satisfies Record<string, Colour>;

/** Mixes two colours; `fraction` is that of the second. */
export function mixColours(one: Colour, other: Colour, fraction: number): Colour {
  return [0, 1, 2].map((part) => one[part]! + (other[part]! - one[part]!) * fraction) as unknown as Colour;
}

/**
 * Signed distance from a point to the edge of a shape in pixels, negative inside. Edges are drawn one pixel wide, so
 * that they are antialiased.
 */
export type Distance = (x: number, y: number) => number;

/** Creates the distance function of a circle. */
export function circle(centreX: number, centreY: number, radius: number): Distance {
  return (x, y) => Math.hypot(x - centreX, y - centreY) - radius;
}

/** Creates the distance function of an upright rectangle with rounded corners. */
export function roundedBox(
  centreX: number,
  centreY: number,
  width: number,
  height: number,
  corner: number,
): Distance {
  return (x, y) => {
    const away = Math.abs(x - centreX) - width / 2 + corner;
    const up = Math.abs(y - centreY) - height / 2 + corner;
    return Math.hypot(Math.max(away, 0), Math.max(up, 0)) + Math.min(Math.max(away, up), 0) - corner;
  };
}

/** An image to draw on. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.rgb = new Uint8Array(width * height * 3);
    for (let index = 0; index < this.rgb.length; index++) this.rgb[index] = ground[index % 3]!;
  }

  /** Fills a shape within a box (in pixels) with one colour or a vertical gradient. */
  fill(
    shape: Distance,
    box: readonly [left: number, top: number, right: number, bottom: number],
    colour: Colour,
    opacity = 1,
    below: Colour = colour,
  ): void {
    const [left, top, right, bottom] = box.map(Math.round) as [number, number, number, number];
    for (let y = Math.max(0, top); y < Math.min(this.height, bottom); y++) {
      // Eight colour bands from top to bottom, which compress well and are part of the style.
      const fraction = Math.floor(((y - top) / (bottom - top)) * 8) / 8;
      const paint = below === colour ? colour : mixColours(colour, below, fraction);
      for (let x = Math.max(0, left); x < Math.min(this.width, right); x++) {
        const cover = Math.min(1, Math.max(0, 0.5 - shape(x + 0.5, y + 0.5))) * opacity;
        if (cover === 0) continue;
        const at = (y * this.width + x) * 3;
        for (let part = 0; part < 3; part++) {
          this.rgb[at + part] = Math.round(
            this.rgb[at + part]! + (paint[part]! - this.rgb[at + part]!) * cover,
          );
        }
      }
    }
  }
}
