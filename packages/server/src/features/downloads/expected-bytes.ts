import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { DownloadSource } from './download-args.ts';

/** Bytes per second of audio in each quality; for FLAC the size of loud stereo at 44.1 kHz. */
const renditionBytes: Readonly<Record<DownloadQuality, number>> = {
  lossless: 130_000,
  high: 40_000,
  medium: 24_000,
  low: 16_000,
};
/** Bytes per second of received audio. A file of the operator's may be lossless, a search result is not. */
const receivedBytes = { catalog: 130_000, search: 40_000 } as const;
/**
 * Bytes per second of the additional FLAC that is stored for a file decoded by ffmpeg. Search results usually are such
 * files.
 */
const decodedBytes = 130_000;
/** Assumed duration of a track of unknown length, in seconds. */
const usualSeconds = 240;
/** Bytes of cover art, waveform peaks and tags. */
const besideBytes = 500_000;

/**
 * Estimates how many bytes a download will store in addition to what is stored already. The actual size is charged when
 * the download completes.
 *
 * @param isKnown whether the audio itself is stored, so that only a rendition is made
 */
export function expectedDownloadBytes(
  source: DownloadSource,
  durationMs: number,
  { quality, isKnown = false }: { readonly quality: DownloadQuality; readonly isKnown?: boolean },
): number {
  const seconds = durationMs > 0 ? durationMs / 1000 : usualSeconds;
  const rendition = renditionBytes[quality] * seconds;
  if (isKnown) return Math.ceil(rendition);
  const received = source.kind === 'upload' ? 0 : receivedBytes[source.kind] * seconds;
  const decoded = source.kind === 'search' ? decodedBytes * seconds : 0;
  return Math.ceil(rendition + received + decoded + besideBytes);
}
