import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../collect-garbage.ts';
import type { Stereo } from '../stereo.ts';
import { openSpectralSeparator, type SpectralSegment } from './open-spectral-separator.ts';
import type { SpectralModel } from './spectral-recipes.ts';

/** A segment to separate. */
export type SpectralTask = Stereo;

/** A message from the thread. */
export type SpectralThreadMessage =
  | { readonly kind: 'progress'; readonly part: number }
  | { readonly kind: 'done'; readonly segment: SpectralSegment }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('spectral-thread must run as a worker thread');

const separate = await openSpectralSeparator(workerData as SpectralModel);

port.on('message', ({ left, right }: SpectralTask) => {
  const post = (message: SpectralThreadMessage, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  try {
    const segment = separate(left, right, (part) => post({ kind: 'progress', part }));
    const buffers = Object.values(segment.stems).flatMap((stem) => [stem.left.buffer, stem.right.buffer]);
    post({ kind: 'done', segment }, buffers as ArrayBuffer[]);
    collectGarbage();
  } catch (error) {
    post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
