import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Scope } from '../base/scope.ts';
import type { LoaderEvents, SoundLoader } from '../player/audio-loader.ts';
import { type FetchRange, openStemFile } from '../player/stem-file.ts';
import { StemLoader } from '../player/stem-loader.ts';
import type { DeckFiles, SongSource, StemSource } from './deck-files.ts';
import type { SongDecoderPort } from './song-decoder-messages.ts';
import { SongLoader } from './song-loader.ts';

/** What loading needs from around it. */
export interface DeckSourceTools {
  files: DeckFiles;
  fetchRange: FetchRange;
  openDecoder: () => SongDecoderPort;
  /** Bytes of samples that a deck keeps at most. */
  memoryBytes: number;
}

/** A song or its stems, opened: what they are, and what brings their samples. */
export interface OpenSound {
  sampleRateHz: number;
  /** Length of the longest voice in sample frames. */
  frames: number;
  voices: readonly { type: StemType | 'song'; channels: number; frames: number }[];
  loader: SoundLoader;
}

/** Opens the stems of a separation where one is wished, else the song; `scope` lets it go. Throws in words for a listener. */
export async function openSound(
  trackId: string,
  processingJobId: string | null,
  tools: DeckSourceTools,
  events: LoaderEvents,
  scope: Scope,
): Promise<OpenSound> {
  if (processingJobId !== null) {
    const stems = await tools.files.stems(processingJobId);
    if (stems.length === 0) throw new RangeError('a separation must have stems (this one has none)');
    return openFiles(stems, tools, events, scope);
  }
  const source = await tools.files.song(trackId);
  // Of a WAV file any place can be had at once; what is not plain enough for that is decoded like the others.
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
  { fetchRange, memoryBytes }: DeckSourceTools,
  events: LoaderEvents,
  scope: Scope,
): Promise<OpenSound> {
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
    voices: sources.map(({ type }, index) => {
      const { channels = 2, frames = 0 } = files[index] ?? {};
      return { type, channels, frames };
    }),
    loader,
  };
}

async function decodeSong(
  source: SongSource,
  { openDecoder, memoryBytes }: DeckSourceTools,
  events: LoaderEvents,
  scope: Scope,
): Promise<OpenSound> {
  const loader = new SongLoader(openDecoder(), source, events, memoryBytes);
  scope.own(() => loader.close());
  const { sampleRateHz, frames, channels } = await loader.shape;
  return { sampleRateHz, frames, voices: [{ type: 'song', channels, frames }], loader };
}
