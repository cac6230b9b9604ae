import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import type { DjEngineRecording } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { createRecordingEncoder } from '../recording/recording-encoder.ts';

/** Chunks per blob, which the browser may keep out of memory. */
const CHUNKS_PER_BLOB = 64;

/** A recorded mix as a 24-bit WAV file in parts; it is never in memory as a whole. */
export class MixRecording {
  readonly #sampleRateHz: number;
  readonly #encode = createRecordingEncoder();
  readonly #blobs: Blob[] = [];
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #frames = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Recorded seconds. */
  get seconds(): number {
    return this.#frames / this.#sampleRateHz;
  }

  /** Adds a chunk; its samples may be returned to the engine afterwards. */
  add({ samples }: Pick<DjEngineRecording, 'samples'>): void {
    const bytes = this.#encode(samples);
    this.#parts.push(bytes);
    this.#frames += samples.length / 2;
    if (this.#parts.length < CHUNKS_PER_BLOB) return;
    this.#blobs.push(new Blob(this.#parts));
    this.#parts = [];
  }

  /** Returns the file. */
  toBlob(): Blob {
    const shape = { sampleRate: this.#sampleRateHz, channels: 2, bitDepth: '24' } as const;
    const header = new Uint8Array(createWavHeader(shape, this.#frames, false));
    return new Blob([header, ...this.#blobs, ...this.#parts], { type: 'audio/wav' });
  }
}
