import { readPeaks } from '@stem-studio/dsp/format/peaks-file';
import type { PeaksZoom, WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A waveform that can be drawn at any width: lowest and highest sample of each piece, ±127. */
export type DrawablePeaks = Pick<PeaksZoom, 'min' | 'max'>;

/** Enough of a peaks file to hold its header and the table of its zooms. */
const HEAD_BYTES = 152;
const TABLE_START = 24;
const BYTES_PER_PEAK = 6;

/** The address of a file that the service keeps under `path`. */
export function fileAddress(path: string): string {
  return `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The coarsest waveform of a song: a few kilobytes, fetched as two ranges of its peaks file, so that a list of songs
 * does not load what only an editor needs. Null where the file cannot be read.
 */
export function peaksQuery(path: string | null) {
  return queryOptions({
    queryKey: ['peaks', path],
    retry: false,
    queryFn: async ({ signal }): Promise<DrawablePeaks | null> => {
      const address = fileAddress(path ?? '');
      const head = await fetchBytes(address, [0, HEAD_BYTES], signal);
      if (head.length > HEAD_BYTES) return readPeaks(head).zooms.at(-1) ?? null;
      const last = coarsestZoom(head);
      if (!last) return null;
      const rows = await fetchBytes(address, [last.offset, last.offset + 2 * last.peaks], signal);
      const row = (index: number) =>
        new Int8Array(rows.buffer, rows.byteOffset + index * last.peaks, last.peaks);
      return { min: row(0), max: row(1) };
    },
  });
}

/** A song's waveform at all zooms. */
export function allPeaksQuery(path: string | null) {
  return queryOptions({
    queryKey: ['all-peaks', path],
    enabled: path !== null,
    retry: false,
    queryFn: async ({ signal }): Promise<WaveformPeaks> =>
      readPeaks(await fetchBytes(fileAddress(path ?? ''), null, signal)),
  });
}

/** Where the coarsest zoom of a peaks file stands, told by the first bytes of the file; null for other files. */
export function coarsestZoom(head: Uint8Array): { offset: number; peaks: number } | null {
  if (head.length < TABLE_START) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const zooms = view.getUint16(6, true);
  if (zooms === 0 || head.length < TABLE_START + zooms * 8) return null;
  let offset = TABLE_START + zooms * 8;
  let peaks = 0;
  for (let zoom = 0; zoom < zooms; zoom++) {
    offset += peaks * BYTES_PER_PEAK;
    peaks = view.getUint32(TABLE_START + zoom * 8 + 4, true);
  }
  return { offset, peaks };
}

async function fetchBytes(
  address: string,
  range: readonly [number, number] | null,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers: Record<string, string> = range ? { range: `bytes=${range[0]}-${range[1] - 1}` } : {};
  const response = await fetch(address, { headers, signal });
  if (!response.ok)
    throw new ApiError(`the file ${address} cannot be had`, { status: response.status, code: 'FILE' });
  return new Uint8Array(await response.arrayBuffer());
}
