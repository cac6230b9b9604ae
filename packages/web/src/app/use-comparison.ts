import type { Separation } from '@stem-studio/contract/resources/separation';
import type { Track } from '@stem-studio/contract/resources/track';
import { useMemo, useState } from 'react';
import { type Comparison, type ComparisonChoice, selectedOf } from '../panels/track/comparison.ts';

/**
 * Keeps which separation of a track the player plays: the default of the track, or the one that the user selects until
 * there is another default.
 *
 * @param newestFirst separations as the service lists them
 */
export function useComparison(track: Track | undefined, newestFirst: readonly Separation[]): Comparison {
  const [choice, setChoice] = useState<ComparisonChoice | null>(null);
  const defaultId = track?.stems_job_id ?? null;
  return useMemo(() => {
    const list = newestFirst.toReversed();
    return {
      list,
      selected: selectedOf(list, defaultId, choice),
      offersSong: list.every(({ preview }) => preview),
      select: (jobId) => setChoice({ jobId, defaultId }),
    };
  }, [newestFirst, defaultId, choice]);
}
