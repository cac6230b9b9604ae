import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { DownloadSource } from './download-args.ts';

/** Bytes of a second of audio in each quality; of FLAC what loud stereo at 44.1 kHz takes. */
const renditionBytes: Readonly<Record<DownloadQuality, number>> = {
  lossless: 130_000,
  high: 40_000,
  medium: 24_000,
  low: 16_000,
};
/** Bytes of a second as it is received: a file of the operator's may be lossless, what is found by a search is not. */
const receivedBytes = { catalog: 130_000, search: 40_000 } as const;
/** A file that ffmpeg decodes is stored a second time, as FLAC; what a search finds is such a file as a rule. */
const decodedBytes = 130_000;
/** Of a song whose length nobody tells. */
const usualSeconds = 240;
/** Cover art, waveform peaks and tags. */
const besideBytes = 500_000;

/**
 * How many bytes a download is expected to store beyond what is stored already. An estimate: what it stored in the end
 * is counted when it completes.
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
