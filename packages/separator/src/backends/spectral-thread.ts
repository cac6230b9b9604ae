import { parentPort, workerData } from 'node:worker_threads';
import { createFourStemSeparator } from '@stem-studio/dsp/separate/four-stems';
import type { Stereo } from '../stereo.ts';
import type { StemEstimates } from './backend.ts';
import { type SpectralModel, spectralRecipes } from './spectral-recipes.ts';

/** A segment to separate. */
export type SpectralTask = Stereo;

/** What a thread says about its segment. */
export type SpectralAnswer =
  | { readonly kind: 'progress'; readonly part: number }
  | { readonly kind: 'done'; readonly estimates: StemEstimates }
  | { readonly kind: 'failed'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('spectral-thread must run as a worker thread');

const separator = await createFourStemSeparator(spectralRecipes[workerData as SpectralModel]);

port.on('message', ({ left, right }: SpectralTask) => {
  const answer = (message: SpectralAnswer, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  try {
    const estimates = separator.separate(left, right, (part) => answer({ kind: 'progress', part }));
    const buffers = Object.values(estimates).flatMap((stem) => [stem.left.buffer, stem.right.buffer]);
    answer({ kind: 'done', estimates }, buffers as ArrayBuffer[]);
  } catch (error) {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
