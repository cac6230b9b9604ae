/** Upper ends of the bands of spectral contrast, in Hz; the first begins at 0. */
const bandEndsHz = [200, 400, 800, 1600, 3200, 6400, 11_025] as const;

/** A band of spectral contrast. */
export interface ContrastBand {
  /** Lower end, such as `1.6k`. */
  from: string;
  /** Range, such as `1.6k–3.2k`. */
  name: string;
}

/** The seven bands, the lowest first. */
export const contrastBands: readonly ContrastBand[] = bandEndsHz.map((end, band) => {
  const from = kilohertz(bandEndsHz[band - 1] ?? 0);
  return { from, name: `${from}–${kilohertz(end)}` };
});

/**
 * Returns the height of a frequency among the stacked bands, 0 at the bottom to 1. The first band is linear, the others
 * are octaves.
 */
export function bandHeight(hz: number): number {
  const [first] = bandEndsHz;
  const bands = hz <= first ? hz / first : 1 + Math.log2(hz / first);
  return Math.min(1, Math.max(0, bands / bandEndsHz.length));
}

function kilohertz(hz: number): string {
  return hz < 1000 ? `${hz}` : `${(hz / 1000).toLocaleString('en', { maximumFractionDigits: 1 })}k`;
}
