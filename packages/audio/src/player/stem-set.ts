import type { StemType } from '@stem-studio/contract/resources/stem';
import { openStemFile } from '@stem-studio/renderer/sources/stem-file';
import type { StemMixerCommand } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { Scope } from '../base/scope.ts';
import { PeakCollector } from './peak-collector.ts';
import type { FetchRange, StemFile } from './stem-file.ts';
import { StemLoader } from './stem-loader.ts';

/** Stems of one separation, with the addresses of their files. */
export interface StemSetSource {
  /** Id of the separation. */
  readonly id: string;
  readonly stems: readonly { readonly type: StemType; readonly address: string }[];
}

/** What a set of stems needs. */
export interface StemSetOptions {
  readonly fetchRange: FetchRange;
  /** Number of the set in the stem mixer. */
  readonly group: number;
  /** Length of the song in sample frames; that of the longest stem where it is undefined. */
  readonly songFrames?: number | undefined;
  /** Most bytes of samples to keep; the loader's default where it is undefined. */
  readonly memoryBytes?: number | undefined;
  readonly post: (command: StemMixerCommand, transfer?: ArrayBuffer[]) => void;
  /** A chunk has arrived. */
  readonly onProgress: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** The opened stems of one separation: `files → loader → (waveform) → mixer`. */
export class StemSet {
  readonly id: string;
  readonly group: number;
  readonly types: readonly StemType[];
  readonly files: readonly StemFile[];
  readonly peaks: readonly PeakCollector[];
  readonly loader: StemLoader;

  private constructor(source: StemSetSource, files: readonly StemFile[], options: StemSetOptions) {
    const { group, post, onProgress, onFailure, songFrames = 0, memoryBytes } = options;
    this.id = source.id;
    this.group = group;
    this.types = source.stems.map(({ type }) => type);
    this.files = files;
    this.peaks = files.map((file) => new PeakCollector(Math.max(songFrames, file.frames), file.channels));
    const events = {
      arrived: (
        stem: number,
        index: number,
        samples: Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>,
      ) => {
        this.peaks[stem]?.add(index, samples);
        post({ type: 'chunk', group, stem, index, samples }, [samples.buffer]);
        onProgress();
      },
      dropped: (stem: number, index: number) => post({ type: 'drop', group, stem, index }),
      failed: onFailure,
    };
    this.loader = new StemLoader(files, events, memoryBytes);
  }

  /** Sample rate of all stems. */
  get sampleRateHz(): number {
    return this.files[0]?.sampleRateHz ?? 0;
  }

  /** Lengths and audio channels of the stems, for the mixer. */
  get shapes(): { frames: number; channels: number }[] {
    return this.files.map(({ frames, channels }) => ({ frames, channels }));
  }

  /** Length of the longest stem in sample frames. */
  get frames(): number {
    return Math.max(...this.files.map((file) => file.frames));
  }

  /**
   * Opens the files of a separation. The loader does not start before `loader.fill`.
   *
   * @throws RangeError where the stems have different sample rates; what opening a file throws
   */
  static async open(source: StemSetSource, scope: Scope, options: StemSetOptions): Promise<StemSet> {
    const { signal } = scope;
    const files = await Promise.all(
      source.stems.map(({ address }) => openStemFile(address, options.fetchRange, signal)),
    );
    const rates = new Set(files.map((file) => file.sampleRateHz));
    if (rates.size !== 1)
      throw new RangeError(`stems must share one sample rate (got ${[...rates].join(', ')} Hz)`);
    return new StemSet(source, files, options);
  }
}
