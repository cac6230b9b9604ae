import { readPeaks } from '@stem-studio/dsp/format/peaks-file';
import type { PeaksZoom, WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A waveform for drawing: lowest and highest sample of each segment, ±127. */
export type DrawablePeaks = Pick<PeaksZoom, 'min' | 'max'>;

/** First bytes of a peaks file, enough for its header and its table of zooms. */
const HEAD_BYTES = 152;
const TABLE_START = 24;
const BYTES_PER_PEAK = 6;

/** Returns the address of a stored file. */
export function fileAddress(path: string): string {
  return `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Query of the coarsest waveform of a song with its frequency bands: about 3 kB, fetched as two ranges of the peaks file,
 * so that a list does not load all zooms. Null for an unreadable file.
 */
export function peaksQuery(path: string | null) {
  return queryOptions({
    queryKey: ['peaks', path],
    retry: false,
    queryFn: async ({ signal }): Promise<PeaksZoom | null> => {
      const address = fileAddress(path ?? '');
      const head = await fetchBytes(address, [0, HEAD_BYTES], signal);
      if (head.length > HEAD_BYTES) return readPeaks(head).zooms.at(-1) ?? null;
      const last = coarsestZoom(head);
      if (!last) return null;
      const { offset, peaks, samplesPerPeak } = last;
      const rows = await fetchBytes(address, [offset, offset + BYTES_PER_PEAK * peaks], signal);
      const signed = (row: number) => new Int8Array(rows.buffer, rows.byteOffset + row * peaks, peaks);
      const level = (row: number) => rows.subarray(row * peaks, (row + 1) * peaks);
      return {
        samplesPerPeak,
        min: signed(0),
        max: signed(1),
        rms: level(2),
        low: level(3),
        mid: level(4),
        high: level(5),
      };
    },
  });
}

/** Query of a song's waveform in all zooms. */
export function allPeaksQuery(path: string | null) {
  return queryOptions({
    queryKey: ['all-peaks', path],
    enabled: path !== null,
    retry: false,
    queryFn: async ({ signal }): Promise<WaveformPeaks> =>
      readPeaks(await fetchBytes(fileAddress(path ?? ''), null, signal)),
  });
}

/** Returns offset, length and scale of the coarsest zoom from the first bytes of a peaks file; null for other files. */
export function coarsestZoom(
  head: Uint8Array,
): { offset: number; peaks: number; samplesPerPeak: number } | null {
  if (head.length < TABLE_START) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const zooms = view.getUint16(6, true);
  if (zooms === 0 || head.length < TABLE_START + zooms * 8) return null;
  let offset = TABLE_START + zooms * 8;
  let peaks = 0;
  let samplesPerPeak = 0;
  for (let zoom = 0; zoom < zooms; zoom++) {
    offset += peaks * BYTES_PER_PEAK;
    samplesPerPeak = view.getUint32(TABLE_START + zoom * 8, true);
    peaks = view.getUint32(TABLE_START + zoom * 8 + 4, true);
  }
  return { offset, peaks, samplesPerPeak };
}

async function fetchBytes(
  address: string,
  range: readonly [number, number] | null,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers: Record<string, string> = range ? { range: `bytes=${range[0]}-${range[1] - 1}` } : {};
  const response = await fetch(address, { headers, signal });
  if (!response.ok)
    throw new ApiError(`the file ${address} could not be loaded`, { status: response.status, code: 'FILE' });
  return new Uint8Array(await response.arrayBuffer());
}
