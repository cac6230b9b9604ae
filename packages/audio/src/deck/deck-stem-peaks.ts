import type { StemType } from '@stem-studio/contract/resources/stem';
import type { ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { PeakCollector } from '../player/peak-collector.ts';
import type { DeckSource } from './deck-source.ts';

/**
 * Waveforms of the stems on a deck, collected from the chunks that are loaded; a chunk that is dropped later stays in
 * them. Two bytes per peak and stem, 0.6 MB per hour of a stem.
 *
 * @spec Decks on the screen
 */
export class DeckStemPeaks {
  readonly sampleRateHz: number;
  /** Length of the longest stem in sample frames. */
  readonly frames: number;
  /** The stems, in the order of the separation. */
  readonly stems: readonly { readonly type: StemType; readonly peaks: PeakCollector }[];
  /** Number of chunks received; a change means that more of the waveforms is known. */
  version = 0;

  private constructor(
    { sampleRateHz, frames }: Pick<DeckSource, 'sampleRateHz' | 'frames'>,
    stems: DeckStemPeaks['stems'],
  ) {
    this.sampleRateHz = sampleRateHz;
    this.frames = frames;
    this.stems = stems;
  }

  /** Returns empty waveforms for the stems of a source; null for a song without stems. */
  static of(source: Omit<DeckSource, 'loader'>): DeckStemPeaks | null {
    const stems = source.sources.flatMap(({ type, channels }) =>
      type === 'song' ? [] : [{ type, peaks: new PeakCollector(source.frames, channels) }],
    );
    return stems.length === 0 ? null : new DeckStemPeaks(source, stems);
  }

  /** Adds chunk `index` of a stem; a known one changes nothing. */
  add(stem: number, index: number, samples: ChunkSamples): void {
    this.stems[stem]?.peaks.add(index, samples);
    this.version++;
  }
}
