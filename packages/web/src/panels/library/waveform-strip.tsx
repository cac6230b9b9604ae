import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import styles from './row-cells.module.css';
import { loadRowWaveform, rowWaveforms } from './row-waveforms.ts';

/** Waveform of a track in its row, coloured by frequency. It is loaded when the list rests. */
export function WaveformStrip({ path }: { path: string | null }) {
  const client = useQueryClient();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => (path === null ? undefined : loadRowWaveform(client, path, redraw)), [client, path]);
  const paths = path === null ? null : rowWaveforms.get(path);
  if (!paths) return <span className={styles['strip']} data-empty="true" />;
  return (
    <svg className={styles['strip']} viewBox={paths.viewBox} aria-hidden="true">
      <path d={paths.peak} data-band="peak" />
      <path d={paths.low} data-band="low" />
      <path d={paths.mid} data-band="mid" />
      <path d={paths.high} data-band="high" />
    </svg>
  );
}
