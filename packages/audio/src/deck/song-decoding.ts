import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import type { Mp3FrameIndex } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { CHUNK_FRAMES, chunkCount } from '@stem-studio/renderer/sources/chunk';
import { ChunkPacker } from '@stem-studio/renderer/sources/chunk-packer';
import { Scope } from '../base/scope.ts';
import { FileFetchError, fetchFile } from '../player/fetch-range.ts';
import type { ChunkWindow, SongDecoderCommand, SongDecoderEvent } from './song-decoder-messages.ts';

/** Largest difference between the stored length, which is rounded to ms, and the declared one. */
const SAME_LENGTH_MS = 2;
/** Chunks decoded between two checks for messages. */
const CHUNKS_PER_YIELD = 4;

type DecodeCommand = SongDecoderCommand & { type: 'decode' };

/**
 * Decodes a song as it arrives, from any chunk on: `file → decoder → 16-bit chunks`. The decoders are those from which
 * the service makes its stems, so both begin at the same sample.
 */
export class SongDecoding {
  readonly #send: (event: SongDecoderEvent, transfer: ArrayBuffer[]) => void;
  #pass = 0;
  #abort = new AbortController();
  #window: ChunkWindow = { first: 0, last: 0 };
  #wake: () => void = () => {};
  /** Byte offsets of the song's MP3 frames decoded so far: a few thousand numbers per hour. */
  #known: { address: string; mp3Index: Mp3FrameIndex } = {
    address: '',
    mp3Index: { offsets: [], hasDamage: false },
  };

  constructor(send: (event: SongDecoderEvent, transfer: ArrayBuffer[]) => void) {
    this.#send = send;
  }

  /** Carries out a command. */
  apply(command: SongDecoderCommand): void {
    if (command.type === 'window') {
      if (command.pass !== this.#pass) return;
      this.#window = command.window;
      this.#wake();
      return;
    }
    this.#abort.abort();
    this.#wake();
    if (command.type === 'stop') return;
    this.#abort = new AbortController();
    this.#pass = command.pass;
    this.#window = command.window;
    void this.#decode(command, this.#abort.signal);
  }

  async #decode(command: DecodeCommand, signal: AbortSignal): Promise<void> {
    const { pass, address } = command;
    const { first } = command.window;
    if (this.#known.address !== address) {
      this.#known = { address, mp3Index: { offsets: [], hasDamage: false } };
    }
    const { mp3Index } = this.#known;
    try {
      const { bytes, readFrom, fileBytes } = await fetchFile(address, signal);
      const ofFile = fileBytes === undefined ? {} : { fileBytes };
      const source = await openAudio(bytes, {
        startFrame: first * CHUNK_FRAMES,
        mp3Index,
        readFrom,
        ...ofFile,
      });
      try {
        const { sample_rate, channels, declared_frames } = source.info;
        const frames = lengthInFrames(command.durationMs, declared_frames, sample_rate);
        const packer = new ChunkPacker(channels, first, (index) => index >= this.#window.first);
        if (signal.aborted) return;
        const shape = { sampleRateHz: sample_rate, channels: packer.channels, frames };
        this.#send({ type: 'shape', pass, ...shape }, []);
        await this.#pack(source.blocks, packer, chunkCount(frames), pass, signal);
      } finally {
        await source.close();
      }
    } catch (error) {
      if (signal.aborted) return;
      const cause = error instanceof Error ? error.message : String(error);
      const isRetryable = error instanceof FileFetchError && error.isRetryable;
      const message = error instanceof AudioFormatError ? `the song cannot be played: ${cause}` : cause;
      this.#send({ type: 'failed', pass, message, isRetryable }, []);
    }
  }

  async #pack(
    blocks: AsyncIterable<Float32Array[]>,
    packer: ChunkPacker,
    chunks: number,
    pass: number,
    signal: AbortSignal,
  ): Promise<void> {
    const send = ({ index, samples }: { index: number; samples: Int16Array<ArrayBuffer> | null }) => {
      if (samples) this.#send({ type: 'chunk', pass, index, samples }, [samples.buffer]);
      this.#send({ type: 'progress', pass, next: index + 1 }, []);
    };
    for await (const block of blocks) {
      for (const chunk of packer.add(block)) {
        if (signal.aborted) return;
        if (chunk.index < chunks) send(chunk);
        if (chunk.index % CHUNKS_PER_YIELD === 0) await yieldToMessages();
        await this.#waitForWindow(packer.index, signal);
      }
      if (signal.aborted) return;
    }
    // The missing end of a short file is silence.
    while (packer.index < chunks && !signal.aborted) {
      send(packer.finish());
      await this.#waitForWindow(packer.index, signal);
    }
  }

  /** Waits until the window includes chunk `index`. */
  async #waitForWindow(index: number, signal: AbortSignal): Promise<void> {
    while (index > this.#window.last && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Returns the length as the file declares it, where that agrees with the measured one. */
function lengthInFrames(durationMs: number, declared: number | null, sampleRateHz: number): number {
  const measured = Math.round((durationMs / 1000) * sampleRateHz);
  if (declared === null || declared <= 0) return measured;
  const differenceMs = (Math.abs(declared - measured) / sampleRateHz) * 1000;
  return measured > 0 && differenceMs > SAME_LENGTH_MS ? measured : declared;
}

/** Lets pending messages run: a decoder whose bytes are all present never waits. */
function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => {
    const scope = new Scope();
    const { port1, port2 } = new MessageChannel();
    scope.own(() => port1.close());
    scope.listen(port1, 'message', () => {
      scope.dispose();
      resolve();
    });
    port1.start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    port2.postMessage(null);
  });
}
