/** Colours and font of the charts, from the style sheet's tokens. */
export interface Palette {
  text: string;
  muted: string;
  line: string;
  lineStrong: string;
  raised: string;
  /** Curves, and the key of the song on the circle of fifths. */
  chart: string;
  /** Text on `chart`. */
  onChart: string;
  wave: string;
  font: string;
  /** Colours of sections, repeated if there are more. */
  parts: readonly string[];
  /** Colours of pitches, in the order of the circle of fifths from C. */
  fifths: readonly string[];
  /** 256 colours from low to high, interleaved red, green, blue. */
  heat: Uint8ClampedArray;
}

const PARTS = 6;
const HEAT_STOPS = 5;
const HEAT_STEPS = 256;

/** Reads the tokens of the style sheet at an element. */
export function readPalette(element: Element, context: CanvasRenderingContext2D): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  // The canvas converts every CSS colour to #rrggbb.
  const rgb = (name: string): number[] => {
    context.fillStyle = token(name);
    const hex = Number.parseInt(context.fillStyle.slice(1), 16);
    return [hex >> 16, (hex >> 8) & 255, hex & 255];
  };
  return {
    text: token('text'),
    muted: token('muted'),
    line: token('line'),
    lineStrong: token('line-strong'),
    raised: token('raised'),
    chart: token('chart'),
    onChart: token('on-bright'),
    wave: token('stem-mix'),
    font: token('font'),
    parts: Array.from({ length: PARTS }, (_, i) => token(`part-${i}`)),
    fifths: Array.from({ length: 12 }, (_, i) => token(`fifth-${i}`)),
    heat: rampBetween(Array.from({ length: HEAT_STOPS }, (_, i) => rgb(`heat-${i}`))),
  };
}

/** Returns 256 colours evenly between `stops` (each red, green, blue, 0 to 255; at least two stops). */
export function rampBetween(stops: readonly (readonly number[])[]): Uint8ClampedArray {
  const ramp = new Uint8ClampedArray(HEAT_STEPS * 3);
  for (let step = 0; step < HEAT_STEPS; step++) {
    const at = (step / (HEAT_STEPS - 1)) * (stops.length - 1);
    const left = Math.min(stops.length - 2, Math.floor(at));
    for (let part = 0; part < 3; part++) {
      const from = stops[left]?.[part] ?? 0;
      const to = stops[left + 1]?.[part] ?? 0;
      ramp[step * 3 + part] = from + (at - left) * (to - from);
    }
  }
  return ramp;
}
