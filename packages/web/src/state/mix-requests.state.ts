import { mixPart } from '@stem-studio/contract/endpoints/exports';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { exportFormats } from '@stem-studio/contract/export-formats';
import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { startDownload } from '../client/start-download.ts';
import { readTabStorage, writeTabStorage } from '../client/tab-storage.ts';
import { noteRequestedFile, requestedFilesKeys } from './requested-files.state.ts';
import { toast, toastError } from './toasts.state.ts';
import { type MixFile, mixFileAddress, mixFileName } from './vocal-mixes.ts';

/** How long the message about a download is shown, in milliseconds. */
const NOTICE_MS = 6000;

/** A mix that is downloaded as soon as its track is separated. */
export interface MixRequest {
  readonly trackId: string;
  readonly title: string;
  readonly file: MixFile;
}

const storageKey = requestedFilesKeys.requests;
const storedRequests = z.array(
  z.object({
    trackId: z.string(),
    title: z.string(),
    file: z.object({
      part: mixPart,
      format: z.enum(exportFormats),
      settings: z.object({ tempoPercent: z.number(), keySemitones: z.number() }),
    }),
  }),
);

/** Mixes that wait for a separation, in the order of their requests; they survive a reload of the page. */
export const mixRequests = createStore<readonly MixRequest[]>(() => {
  const stored = storedRequests.safeParse(readTabStorage(storageKey));
  return stored.success ? stored.data : [];
});

mixRequests.subscribe((requests) => writeTabStorage(storageKey, requests));

const isSame = (one: MixRequest, other: MixRequest) =>
  one.trackId === other.trackId && mixFileName(one.file) === mixFileName(other.file);

/** Removes a request. Returns whether it was still there, so that its file is downloaded once. */
export function takeMixRequest(request: MixRequest): boolean {
  const before = mixRequests.getState();
  const left = before.filter((other) => !isSame(other, request));
  mixRequests.setState(left, true);
  return left.length < before.length;
}

/**
 * Downloads a mix of a track. A track without stems is separated first by the fastest model; the file follows when that
 * is done. A failure is shown as a toast.
 */
export async function requestMix(client: QueryClient, track: Track, file: MixFile): Promise<void> {
  const request = { trackId: track.id, title: track.title, file };
  if (track.stems_job_id !== null) {
    downloadMix(request);
    return;
  }
  if (mixRequests.getState().some((other) => isSame(other, request))) return;
  try {
    await call(separate, { body: { track_id: track.id } });
    // Before the request is added: an earlier failed separation must not end it.
    await client.invalidateQueries({ queryKey: ['track', track.id] });
    noteRequestedFile();
    mixRequests.setState([...mixRequests.getState(), request], true);
    void client.invalidateQueries({ queryKey: ['jobs'] });
  } catch (error) {
    toastError(`“${track.title}” was not separated`, errorText(error));
  }
}

/** Starts the download of a mix of a separated track. */
export function downloadMix({ trackId, title, file }: MixRequest): void {
  startDownload(mixFileAddress(trackId, file));
  toast({
    title: `Preparing “${title}”`,
    description: `${mixFileName(file)}. The download starts when the file is ready.`,
    isError: false,
    timeoutMs: NOTICE_MS,
    action: null,
  });
}
