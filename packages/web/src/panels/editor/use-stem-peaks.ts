import type { Scope } from '@stem-studio/audio/base/scope';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import { StemSet } from '@stem-studio/audio/player/stem-set';
import type { Separation } from '@stem-studio/contract/resources/separation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { useEffectEvent, useState } from 'react';
import { fileAddress } from '../../client/peaks-query.ts';
import { useScope } from '../../ui/use-scope.ts';

/** Waveforms of the stems of a separation as they arrive. */
export class StemPeaks {
  #set: StemSet | null = null;

  /** Returns the waveform of a stem; null while none of it has arrived. */
  readonly of = (source: StemType): LivePeaks | null =>
    this.#set?.peaks[this.#set.types.indexOf(source)] ?? null;

  /** Returns the sample rate of the stems in Hz. */
  readonly sampleRateHz = (): number => this.#set?.sampleRateHz ?? 44_100;

  /** Reads the stems of a separation until `scope` ends. A stem that cannot be read keeps the line of silence. */
  async read(scope: Scope, { job_id, stems }: Separation): Promise<void> {
    this.#set = null;
    const files = stems.map((stem) => ({ type: stem.stem_type, address: fileAddress(stem.file_path) }));
    const ignore = () => undefined;
    const events = { post: ignore, onProgress: ignore, onFailure: ignore };
    const options = { fetchRange, group: 0, memoryBytes: undefined, ...events };
    const set = await StemSet.open({ id: job_id, stems: files }, scope, options).catch(ignore);
    if (!set || scope.isDisposed) return;
    this.#set = set;
    set.loader.fill();
  }
}

/** Returns the waveforms of the stems of a separation. */
export function useStemPeaks(separation: Separation | null): StemPeaks {
  const [peaks] = useState(() => new StemPeaks());
  const id = separation?.job_id ?? null;
  const read = useEffectEvent((scope: Scope) => {
    if (separation) void peaks.read(scope, separation);
  });
  // The stems of a separation do not change.
  useScope((scope) => read(scope), [id]);
  return peaks;
}
