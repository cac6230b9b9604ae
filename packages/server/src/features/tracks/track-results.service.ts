import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { catalogIdOfCover } from '../catalog/index.ts';
import { announceDuplicate } from './announce-duplicate.ts';
import { deleteSourceIfUnused, type RenditionRow } from './audio-sources.store.ts';
import { announceTrack } from './tracks.service.ts';
import * as store from './tracks.store.ts';

/** Stores the results of an analysis, except for values set by the user. */
export async function recordDetected(
  context: Context,
  tx: Tx,
  trackId: string,
  detected: {
    readonly bpm?: number | null;
    readonly key?: string;
    readonly loudness_lufs?: number;
  },
): Promise<void> {
  const row = await store.findAnyTrack(tx, trackId);
  if (!row) return;
  await store.updateTrack(tx, trackId, {
    ...(detected.bpm !== undefined && !row.bpm_edited && { bpm: detected.bpm }),
    ...(detected.loudness_lufs !== undefined && { loudness_lufs: detected.loudness_lufs }),
    ...(detected.key !== undefined && !row.key_edited && { key: detected.key }),
    updated_at: context.clock.now(),
  });
  await announceTrack(tx, trackId, 'track_updated');
}

/** Stores the tempo of a track's beat grid, set by its owner or detected. */
export async function recordTempo(
  context: Context,
  tx: Tx,
  trackId: string,
  tempo: { readonly bpm: number | null; readonly isSetByUser: boolean },
): Promise<void> {
  const { bpm, isSetByUser } = tempo;
  await store.updateTrack(tx, trackId, { bpm, bpm_edited: isSetByUser, updated_at: context.clock.now() });
  await announceTrack(tx, trackId, 'track_updated');
}

/** Makes a completed full separation the default of its track: its stems are played and exported. */
export async function recordStems(context: Context, tx: Tx, trackId: string, jobId: string): Promise<void> {
  await store.updateTrack(tx, trackId, { stems_job_id: jobId, updated_at: context.clock.now() });
  await announceTrack(tx, trackId, 'track_updated');
}

/**
 * Locks a track and ends the use of a separation by it. If the track uses it by default, `findNext` chooses another
 * one, or none. Returns the default that follows.
 */
export async function forgetStems(
  context: Context,
  tx: Tx,
  trackId: string,
  jobId: string,
  findNext: () => Promise<string | null>,
): Promise<string | null> {
  const row = await store.lockTrack(tx, trackId);
  if (!row || row.stems_job_id !== jobId) return row?.stems_job_id ?? null;
  const stems_job_id = await findNext();
  await store.updateTrack(tx, trackId, { stems_job_id, updated_at: context.clock.now() });
  return stems_job_id;
}

/** Attaches audio to a track and publishes the track. Returns whether the audio differs from the previous one. */
export async function attachAudio(
  context: Context,
  tx: Tx,
  trackId: string,
  audio: {
    readonly sourceId: string;
    readonly quality: RenditionRow['quality'];
    readonly durationMs: number;
  },
  coverUrl: string | null,
): Promise<boolean> {
  const before = await store.findAnyTrack(tx, trackId);
  const replacedId = before?.audio_source_id === audio.sourceId ? null : (before?.audio_source_id ?? null);
  const art = before?.album_art_url ?? null;
  // The cover of replaced audio is deleted with it.
  const lacksArt = art === null || (replacedId !== null && art.includes(`/downloads/${replacedId}/`));
  // The stored cover remains when the catalog is missing.
  const isOfCatalog = art !== null && before?.catalog_id === catalogIdOfCover(art);
  const art_url = lacksArt ? coverUrl : isOfCatalog ? (coverUrl ?? art) : art;
  await store.updateTrack(tx, trackId, {
    audio_source_id: audio.sourceId,
    quality: audio.quality,
    duration_ms: audio.durationMs,
    ...(art !== art_url && { album_art_url: art_url }),
    updated_at: context.clock.now(),
  });
  if (replacedId !== null && (await deleteSourceIfUnused(tx, replacedId)))
    await markFoldersForDeletion(context, tx, [`downloads/${replacedId}`]);
  await announceTrack(tx, trackId, 'track_updated');
  const isNew = before?.audio_source_id !== audio.sourceId;
  if (isNew) await announceDuplicate(tx, trackId);
  return isNew;
}
