import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { drawRowWaveform } from '../../canvas/row-waveform.ts';
import { peaksQuery } from '../../client/peaks-query.ts';
import styles from './row-cells.module.css';

/** Size of the waveform in pixels; the style sheet has the same. */
const WIDTH_PX = 140;
const HEIGHT_PX = 24;

/** Waveform of a track in its row. Rows that only scroll past fetch nothing. */
export function WaveformStrip({ path, isHurried }: { path: string | null; isHurried: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data } = useQuery({ ...peaksQuery(path), enabled: path !== null && !isHurried });
  useEffect(() => {
    if (canvas.current) drawRowWaveform(canvas.current, WIDTH_PX, HEIGHT_PX, data ?? null);
  }, [data]);
  return <canvas ref={canvas} className={styles['strip']} aria-hidden="true" />;
}
