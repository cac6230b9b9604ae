import type { Clock } from '../../../platform/clock.ts';
import type { CoverImage } from '../catalog-provider.ts';

/** Size limit of all cached images in bytes, and the delay before repeating a failed request in ms. */
const mostBytes = 32_000_000;
const refusedMs = 60_000;

interface Kept {
  readonly cover: Promise<CoverImage | null>;
  bytes: number;
  /** Time from which it may be requested again; infinite once it has been received. */
  againMs: number;
}

/**
 * Creates a cache of images by address. All tracks of an album share one, and a page shows a hundred tracks at once.
 * Concurrent requests for an image share one fetch; the oldest images are dropped when all together exceed 32 MB.
 */
export function createCoverCache(
  fetchCover: (address: string) => Promise<CoverImage | null>,
  clock: Clock,
): (address: string) => Promise<CoverImage | null> {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const forget = (address: string, entry: Kept) => {
    if (kept.get(address) !== entry) return;
    kept.delete(address);
    bytes -= entry.bytes;
  };
  const shrink = () => {
    for (const [address, entry] of kept) {
      if (bytes <= mostBytes) return;
      forget(address, entry);
    }
  };
  return (address) => {
    const known = kept.get(address);
    if (known && clock.monotonicMs() < known.againMs) return known.cover;
    if (known) forget(address, known);
    const entry: Kept = { cover: fetchCover(address), bytes: 0, againMs: Number.POSITIVE_INFINITY };
    kept.set(address, entry);
    void entry.cover.then((cover) => {
      if (!cover) entry.againMs = clock.monotonicMs() + refusedMs;
      else if (kept.get(address) === entry) {
        entry.bytes = cover.bytes.length;
        bytes += entry.bytes;
        shrink();
      }
    });
    return entry.cover;
  };
}
