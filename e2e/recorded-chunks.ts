import type { Page } from 'playwright-core';

/** A chunk of recorded audio as the page received it from the audio thread. */
export interface RecordedChunk {
  readonly samples: number;
  /** Hash over its samples of 24 bits. */
  readonly hash: number;
}

/** Samples after which a hash begins anew, and hash of 24-bit samples (FNV-1a by 32-bit values). */
export function hashSamples(samples: Iterable<number>): number {
  let hash = 0x811c9dc5;
  for (const sample of samples) hash = Math.imul(hash ^ (sample & 0xffffff), 0x01000193) >>> 0;
  return hash;
}

/** Reports each chunk of recorded audio of a page that is opened afterwards, for comparison with the stored file. */
export async function watchRecording(page: Page): Promise<readonly RecordedChunk[]> {
  const chunks: RecordedChunk[] = [];
  await page.exposeFunction('noteRecordedChunk', (chunk: RecordedChunk) => void chunks.push(chunk));
  await page.addInitScript(() => {
    const note = (samples: Float32Array) => {
      let hash = 0x811c9dc5;
      for (const sample of samples) {
        const value = Math.min(0x7fffff, Math.max(-0x800000, Math.round(sample * 0x800000)));
        hash = Math.imul(hash ^ (value & 0xffffff), 0x01000193) >>> 0;
      }
      const { noteRecordedChunk } = globalThis as unknown as { noteRecordedChunk: (chunk: object) => void };
      noteRecordedChunk({ samples: samples.length, hash });
    };
    globalThis.AudioWorkletNode = class extends AudioWorkletNode {
      constructor(...given: ConstructorParameters<typeof AudioWorkletNode>) {
        super(...given);
        // Added before the listener of the page, which passes the samples on.
        this.port.addEventListener(
          'message',
          ({ data }: MessageEvent<{ type: string; samples: Float32Array }>) => {
            if (data.type === 'recording') note(data.samples);
          },
        );
      }
    };
  });
  return chunks;
}

/** Returns the samples of a stereo WAV file of 24 bits, interleaved. */
export function samplesOfWav(file: Buffer): Int32Array {
  const start = file.indexOf('data', 12, 'latin1') + 8;
  return Int32Array.from({ length: Math.floor((file.length - start) / 3) }, (_, n) =>
    file.readIntLE(start + 3 * n, 3),
  );
}
