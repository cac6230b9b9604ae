import { effectiveGain, type PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { HandlerInput } from '@stem-studio/contract/endpoint';
import { createProjectExport } from '@stem-studio/contract/endpoints/edit-export';
import { createMix, downloadMix } from '@stem-studio/contract/endpoints/mixes';
import type { ExportFormat } from '@stem-studio/contract/export-formats';
import type { MixExport } from '@stem-studio/contract/resources/mix';
import type { Project } from '@stem-studio/contract/resources/project';
import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { errorText } from '../client/api-error.ts';
import { addressOf, call } from '../client/call.ts';
import { startDownload } from '../client/start-download.ts';
import { readTabStorage, writeTabStorage } from '../client/tab-storage.ts';
import { noteRequestedFile, requestedFilesKeys } from './requested-files.state.ts';
import { toast, toastError } from './toasts.state.ts';

type RequestedMix = HandlerInput<typeof createMix>['body'];

const storageKey = requestedFilesKeys.exports;
/** How long the message about a download is shown, in milliseconds. */
const NOTICE_MS = 6000;

/** Ids of the mixes that this tab downloads when they are ready; they survive a reload. */
export const awaitedMixes = createStore<readonly string[]>(() => {
  const stored = readTabStorage(storageKey);
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
});

awaitedMixes.subscribe((ids) => writeTabStorage(storageKey, ids));

/** Removes an awaited mix. Returns whether it was still there, so that its file is downloaded once. */
export function takeAwaitedMix(id: string): boolean {
  const before = awaitedMixes.getState();
  awaitedMixes.setState(
    before.filter((other) => other !== id),
    true,
  );
  return before.includes(id);
}

/** Returns what a player plays as the request of a mix; null where every row is silent. */
export function mixOf(state: PlayerState, format: ExportFormat): RequestedMix | null {
  const { rows, separation, tempoPercent, keySemitones } = state;
  const band = (gainDb: number) => (gainDb === Number.NEGATIVE_INFINITY ? null : gainDb);
  const audible = rows.flatMap((row) => {
    const volume = effectiveGain(row, rows);
    const { low, mid, high } = row.eq;
    const eq = { low: band(low), mid: band(mid), high: band(high) };
    return volume === 0 ? [] : [{ source: row.type, volume, pan: row.pan, eq }];
  });
  if (audible.length === 0) return null;
  return { job_id: separation, rows: audible, tempo: tempoPercent, key: keySemitones, range: null, format };
}

/**
 * Exports what the player of a track plays: volume, mute, solo, pan and equaliser of its rows, tempo and key. The file
 * is downloaded when it is ready; "Requested files" shows the progress. A failure is shown as a toast.
 */
export async function requestMixExport(
  client: QueryClient,
  track: Pick<Track, 'title'> & { readonly id: string },
  player: Pick<SongPlayer, 'state'>,
  format: ExportFormat = 'wav',
): Promise<void> {
  const body = mixOf(player.state.getState(), format);
  if (!body) {
    toastError(`“${track.title}” was not exported`, 'Every row is muted. Unmute at least one.');
    return;
  }
  try {
    const { data } = await call(createMix, { params: { id: track.id }, body });
    await awaitMix(client, data);
  } catch (error) {
    toastError(`“${track.title}” was not exported`, errorText(error));
  }
}

/** Exports a project of the editor as {@link requestMixExport} does a mix. */
export async function requestProjectExport(
  client: QueryClient,
  project: Pick<Project, 'id' | 'name'>,
  body: HandlerInput<typeof createProjectExport>['body'],
): Promise<void> {
  try {
    const { data } = await call(createProjectExport, { params: { id: project.id }, body });
    await awaitMix(client, data);
  } catch (error) {
    toastError(`“${project.name}” was not exported`, errorText(error));
  }
}

/** Shows a requested mix under "Requested files", and downloads it when it is ready. */
async function awaitMix(client: QueryClient, mix: MixExport): Promise<void> {
  client.setQueryData(['mixes', mix.id], mix);
  noteRequestedFile();
  if (!awaitedMixes.getState().includes(mix.id))
    awaitedMixes.setState([...awaitedMixes.getState(), mix.id], true);
  await client.invalidateQueries({ queryKey: ['jobs'] });
}

/** Starts the download of a mix that is ready. */
export function saveMix({ id, track_title, format, project }: MixExport): void {
  startDownload(addressOf(downloadMix, { id }));
  toast({
    title: `${project?.name ?? 'Mix'} of “${track_title}” is ready`,
    description: `The ${project?.content === 'stems' ? 'ZIP' : format.toUpperCase()} file is in your downloads. It is kept for a day.`,
    isError: false,
    timeoutMs: NOTICE_MS,
    action: null,
  });
}
