/** Upper ends of the bands that spectral contrast is measured in, Hz; the first begins at 0. */
const bandEndsHz = [200, 400, 800, 1600, 3200, 6400, 11_025] as const;

/** A band of spectral contrast. */
export interface ContrastBand {
  /** Where it begins, `1.6k`. */
  from: string;
  /** From where to where, `1.6k–3.2k`. */
  name: string;
}

/** The seven bands, the lowest first. */
export const contrastBands: readonly ContrastBand[] = bandEndsHz.map((end, band) => {
  const from = kilohertz(bandEndsHz[band - 1] ?? 0);
  return { from, name: `${from}–${kilohertz(end)}` };
});

/**
 * Where a frequency stands among the bands drawn one above another, from 0 at the bottom to 1: the first is linear, the
 * others are octaves.
 */
export function placeOf(hz: number): number {
  const [first] = bandEndsHz;
  const bands = hz <= first ? hz / first : 1 + Math.log2(hz / first);
  return Math.min(1, Math.max(0, bands / bandEndsHz.length));
}

function kilohertz(hz: number): string {
  return hz < 1000 ? `${hz}` : `${(hz / 1000).toLocaleString('en', { maximumFractionDigits: 1 })}k`;
}
