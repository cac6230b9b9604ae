import type { StemType } from '@stem-studio/contract/resources/stem';
import { openStemFile } from '@stem-studio/renderer/sources/stem-file';
import type { Scope } from '../base/scope.ts';
import type { AudioLoader, LoaderEvents } from '../player/audio-loader.ts';
import type { FetchRange } from '../player/stem-file.ts';
import { StemLoader } from '../player/stem-loader.ts';
import type { DeckFiles, SongSource, StemSource } from './deck-files.ts';
import type { SongDecoderPort } from './song-decoder-messages.ts';
import { SongLoader } from './song-loader.ts';

/** Dependencies for loading a source. */
export interface DeckSourceOptions {
  files: DeckFiles;
  fetchRange: FetchRange;
  openDecoder: () => SongDecoderPort;
  /** Most bytes of samples that a deck keeps. */
  memoryBytes: number;
}

/** An opened song or its opened stems, with their loader. */
export interface DeckSource {
  sampleRateHz: number;
  /** Length of the longest source in sample frames. */
  frames: number;
  sources: readonly { type: StemType | 'song'; channels: number; frames: number }[];
  loader: AudioLoader;
}

/** Opens the stems of a separation, or else the song; `scope` releases them. Throws with a message for the user. */
export async function openDeckSource(
  trackId: string,
  processingJobId: string | null,
  tools: DeckSourceOptions,
  events: LoaderEvents,
  scope: Scope,
): Promise<DeckSource> {
  if (processingJobId !== null) {
    const stems = await tools.files.stems(processingJobId);
    if (stems.length === 0) throw new RangeError('a separation must have stems (this one has none)');
    return openFiles(stems, tools, events, scope);
  }
  const source = await tools.files.song(trackId);
  // Any position of a WAV file can be read at once. Variants that cannot be read so are decoded like other formats.
  if (source.codec === 'wav') {
    const file = [{ type: 'song', address: source.address }] as const;
    const plain = await openFiles(file, tools, events, scope).catch((error: unknown) => {
      if (error instanceof RangeError) return null;
      throw error;
    });
    if (plain) return plain;
  }
  return decodeSong(source, tools, events, scope);
}

async function openFiles(
  sources: readonly (StemSource | { type: 'song'; address: string })[],
  { fetchRange, memoryBytes }: DeckSourceOptions,
  events: LoaderEvents,
  scope: Scope,
): Promise<DeckSource> {
  const files = await Promise.all(
    sources.map(({ address }) => openStemFile(address, fetchRange, scope.signal)),
  );
  const rates = [...new Set(files.map((file) => file.sampleRateHz))];
  const [sampleRateHz] = rates;
  if (sampleRateHz === undefined || rates.length !== 1) {
    throw new RangeError(`stems must share one sample rate (got ${rates.join(', ')} Hz)`);
  }
  const loader = new StemLoader(files, events, memoryBytes);
  scope.own(() => loader.close());
  return {
    sampleRateHz,
    frames: Math.max(...files.map((file) => file.frames)),
    sources: sources.map(({ type }, index) => {
      const { channels = 2, frames = 0 } = files[index] ?? {};
      return { type, channels, frames };
    }),
    loader,
  };
}

async function decodeSong(
  source: SongSource,
  { openDecoder, memoryBytes }: DeckSourceOptions,
  events: LoaderEvents,
  scope: Scope,
): Promise<DeckSource> {
  const loader = new SongLoader(openDecoder(), source, events, memoryBytes);
  scope.own(() => loader.close());
  const { sampleRateHz, frames, channels } = await loader.shape;
  return { sampleRateHz, frames, sources: [{ type: 'song', channels, frames }], loader };
}
