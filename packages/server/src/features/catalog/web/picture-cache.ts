import type { Clock } from '../../../platform/clock.ts';
import type { CoverPicture } from '../catalog-provider.ts';

/** All pictures together, and how long one that could not be had is not asked for again. */
const mostBytes = 32_000_000;
const refusedMs = 60_000;

interface Kept {
  readonly picture: Promise<CoverPicture | null>;
  bytes: number;
  /** When it may be asked for again; for ever kept when it came. */
  againMs: number;
}

/**
 * Remembers pictures by their address: all songs of an album share one, and a page shows a hundred songs at once. Each
 * is asked for once however many want it; the oldest go when all together exceed 32 MB.
 */
export function createPictureCache(
  fetchPicture: (address: string) => Promise<CoverPicture | null>,
  clock: Clock,
): (address: string) => Promise<CoverPicture | null> {
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
    if (known && clock.monotonicMs() < known.againMs) return known.picture;
    if (known) forget(address, known);
    const entry: Kept = { picture: fetchPicture(address), bytes: 0, againMs: Number.POSITIVE_INFINITY };
    kept.set(address, entry);
    void entry.picture.then((picture) => {
      if (!picture) entry.againMs = clock.monotonicMs() + refusedMs;
      else if (kept.get(address) === entry) {
        entry.bytes = picture.bytes.length;
        bytes += entry.bytes;
        shrink();
      }
    });
    return entry.picture;
  };
}
