import type { PeaksZoom } from '@stem-studio/dsp/signal/peaks';
import { useQuery } from '@tanstack/react-query';
import { type WaveformPaths, waveformPaths } from '../../canvas/waveform-path.ts';
import { peaksQuery } from '../../client/peaks-query.ts';
import styles from './row-cells.module.css';

/** Size of the waveform in pixels; the style sheet has the same. */
const WIDTH_PX = 140;
const HEIGHT_PX = 24;

const known = new WeakMap<PeaksZoom, WaveformPaths>();

/** Returns the paths of a waveform, computed once: a row that scrolls back into view needs them again. */
function pathsOf(peaks: PeaksZoom | null): WaveformPaths | null {
  if (!peaks) return null;
  const paths = known.get(peaks) ?? waveformPaths(peaks, WIDTH_PX, HEIGHT_PX);
  known.set(peaks, paths);
  return paths;
}

/** Waveform of a track in its row, coloured by frequency. Rows that only scroll past fetch nothing. */
export function WaveformStrip({ path, isHurried }: { path: string | null; isHurried: boolean }) {
  const { data } = useQuery({ ...peaksQuery(path), select: pathsOf, enabled: path !== null && !isHurried });
  if (!data) return <span className={styles['strip']} data-empty="true" />;
  return (
    <svg className={styles['strip']} viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} aria-hidden="true">
      <path d={data.peak} data-band="peak" />
      <path d={data.low} data-band="low" />
      <path d={data.mid} data-band="mid" />
      <path d={data.high} data-band="high" />
    </svg>
  );
}
