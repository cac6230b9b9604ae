import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import { StemSet } from '@stem-studio/audio/player/stem-set';
import type { Separation } from '@stem-studio/contract/resources/separation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { useState } from 'react';
import { fileAddress } from '../../client/peaks-query.ts';
import { useScope } from '../../ui/use-scope.ts';

/** Waveforms of the stems as they arrive. */
export interface StemPeaks {
  readonly of: (source: StemType) => LivePeaks | null;
  readonly sampleRateHz: () => number;
}

/** Reads the stems of a separation for their waveforms. A stem that cannot be read keeps the line of silence. */
export function useStemPeaks(separation: Separation | null): StemPeaks {
  const [holder] = useState(() => ({ set: null as StemSet | null }));
  const [peaks] = useState<StemPeaks>(() => ({
    of: (source) => holder.set?.peaks[holder.set.types.indexOf(source)] ?? null,
    sampleRateHz: () => holder.set?.sampleRateHz ?? 44_100,
  }));
  const id = separation?.job_id ?? null;
  useScope(
    (scope) => {
      holder.set = null;
      if (!separation) return;
      const stems = separation.stems.map((stem) => ({
        type: stem.stem_type,
        address: fileAddress(stem.file_path),
      }));
      const events = { post: () => undefined, onProgress: () => undefined, onFailure: () => undefined };
      StemSet.open({ id: separation.job_id, stems }, scope, {
        fetchRange,
        group: 0,
        memoryBytes: undefined,
        ...events,
      }).then(
        (set) => {
          if (scope.isDisposed) return;
          holder.set = set;
          set.loader.fill();
        },
        () => undefined,
      );
    },
    // The list of stems of a separation does not change.
    [holder, id],
  );
  return peaks;
}
