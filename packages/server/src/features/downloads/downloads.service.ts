import type { DownloadJob, DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/db/connection.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type HeldSpace, holdSpace } from '../../platform/disk/reserve-space.ts';
import { failure, invalid, notFound } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { ffmpegMissing, findFfmpeg } from '../../platform/process/ffmpeg.ts';
import { findPermittedJob } from '../../platform/queue/job-access.ts';
import { fileAt, inspectAudio, inspectTags, lookUpLink } from '../catalog/index.ts';
import { requireQuota } from '../quotas/index.ts';
import { type EnsuredTrack, ensureTrack, findRendition, findTrack, requireTrackId } from '../tracks/index.ts';
import { chargeUploads } from './charge-uploads.ts';
import { type DownloadSource, sourceFolder, storedDownloadArgs } from './download-args.ts';
import { findUploadedTrack } from './downloads.store.ts';
import { type AcceptedDownload, ensureDownload, importTrack } from './import-track.ts';
import { importCollection } from './imports.service.ts';
import { chosenSongs } from './preview-import.service.ts';

/**
 * Imports the target of a link; an album or a playlist as one import.
 *
 * @param catalogIds songs of the album or playlist to import; undefined for all
 * @throws `VALIDATION_ERROR` for an id that is not among its songs
 */
export async function importLink(
  context: Context,
  viewer: Viewer,
  url: string,
  quality: DownloadQuality,
  catalogIds?: readonly string[],
) {
  const found = chosenSongs(await lookUpLink(context, viewer.id, url), catalogIds);
  if (found.type !== 'track') {
    const imported = await importCollection(context, viewer, found, quality);
    return { type: found.type, ...imported, skipped: found.skipped };
  }
  const item = await importTrack(context, viewer, found.track, quality);
  return { type: found.type, items: [item], import_id: null, skipped: [] };
}

/**
 * Downloads the single track that a link points to.
 *
 * @throws `VALIDATION_ERROR` for a link to an album or a playlist
 */
export async function downloadLink(context: Context, viewer: Viewer, url: string, quality: DownloadQuality) {
  const found = await lookUpLink(context, viewer.id, url);
  if (found.type !== 'track') {
    throw invalid({
      url: [
        `must be a link to one track (got one to ${found.type === 'album' ? 'an album' : 'a playlist'}); import takes the others`,
      ],
    });
  }
  const accepted = await importTrack(context, viewer, found.track, quality);
  if (accepted.job_id === null) throw new Error(`track ${accepted.track_id} has audio but no download`);
  return { ...accepted, job_id: accepted.job_id };
}

/** A completely uploaded file, stored under `downloads/<source_id>/received`. */
export interface ReceivedUpload {
  readonly sourceId: string;
  readonly fileName: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
}

/**
 * Checks that a file starts as audio that the service or the machine's ffmpeg can decode.
 *
 * @param path absolute path of the file
 * @throws `AUDIO_NOT_ACCEPTED` with the rule and the detected content
 */
export async function requireAudio(context: Context, path: string, signal: AbortSignal): Promise<void> {
  const audio = await inspectAudio(fileAt(path), signal);
  const hasFfmpeg = (await findFfmpeg(context.config)) !== null;
  if (audio.isUnknown) throw refused(unknownFormat(hasFfmpeg));
  if (audio.refused !== null) throw refused(audio.refused);
  if (audio.unsupported === null || hasFfmpeg) return;
  throw refused(ffmpegMissing(audio.unsupported));
}

const unknownFormat = (hasFfmpeg: boolean) =>
  `This is not a readable audio file: it must be WAV, AIFF, MP3, FLAC, ${hasFfmpeg ? 'Ogg, Opus, M4A, AAC, WebM or WMA' : 'Ogg or Opus'}`;

const refused = (reason: string) =>
  failure('AUDIO_NOT_ACCEPTED', `${reason}; nothing was stored`, { file: [reason] });

/**
 * Reserves disk space and storage of the user for a file that is about to be received.
 *
 * @throws `QUOTA_EXCEEDED` when the user's storage is used up, with the numbers
 * @throws `UNAVAILABLE` when the disk lacks space, with the numbers
 */
export function holdUploadSpace(context: Context, viewer: Viewer, bytes: number): Promise<HeldSpace> {
  const file = { what: 'this file', bytes, storesFor: viewer.id };
  return holdSpace(context, file, (tx, added) =>
    requireQuota(context, tx, viewer.id, { what: 'this file', bytes: added }),
  );
}

/**
 * Adds an uploaded file to the library: a track named after its tags, and the job that prepares it. Identical bytes
 * lead to the track that the user already has. Nothing of a refused upload remains (also with `QUOTA_EXCEEDED`).
 *
 * @param signal aborts when the client disconnects; nothing remains then either
 */
export async function acceptUpload(
  context: Context,
  viewer: Viewer,
  upload: ReceivedUpload,
  quality: DownloadQuality,
  signal: AbortSignal,
): Promise<AcceptedDownload> {
  const folder = sourceFolder(upload.sourceId);
  const path = `${folder}/received`;
  try {
    const file = fileAt(context.files.absolute(path));
    await requireAudio(context, context.files.absolute(path), signal);
    const request = { file, name: upload.fileName, withCover: false, withLength: true };
    const { tags } = await inspectTags(request, signal);
    const { durationMs } = tags;
    signal.throwIfAborted();
    const accepted = await context.db.transaction().execute(async (tx) => {
      const known = await findUploadedTrack(tx, viewer.id, upload.sha256);
      const existing = known && (await findTrack(tx, known.id));
      const source: DownloadSource = {
        kind: 'upload',
        source_id: upload.sourceId,
        sha256: upload.sha256,
        file_name: upload.fileName,
      };
      if (existing)
        return ensureUploaded(
          context,
          tx,
          { track: existing, created: false, restored: false },
          source,
          existing.quality ?? quality,
          upload.bytes,
        );
      const ensured = await ensureTrack(context, tx, {
        userId: viewer.id,
        source: 'upload',
        fields: {
          catalog_id: null,
          catalog_url: null,
          title: tags.title,
          artist: tags.artist,
          album: tags.album,
          album_art_url: null,
          genre: tags.genre,
          year: tags.year,
          comment: tags.comment,
          isrc: tags.isrc,
          explicit: false,
          duration: Math.round(durationMs / 1000),
          duration_ms: durationMs,
        },
      });
      return ensureUploaded(context, tx, ensured, source, quality, upload.bytes);
    });
    if (!accepted.created) await context.files.removeFolder(folder);
    return accepted;
  } catch (error) {
    // A connection that breaks during the commit leaves its outcome unknown, so the bytes may belong to a job. If no
    // job names them, the sweep moves them to the quarantine.
    if (!isDatabaseUnavailable(error)) await context.files.removeFolder(folder);
    throw error;
  }
}

/** Ensures the download of an uploaded file, whose bytes are charged to its track from now on. */
export async function ensureUploaded(
  context: Context,
  tx: Tx,
  ...[ensured, ...rest]: [
    ensured: EnsuredTrack,
    source: DownloadSource,
    quality: DownloadQuality,
    bytes: number,
  ]
): Promise<AcceptedDownload> {
  const accepted = await ensureDownload(context, tx, ensured, ...rest);
  if (accepted.created) await chargeUploads(context, tx, ensured.track.id);
  return accepted;
}

/**
 * Returns a download job in its wire format.
 *
 * @throws `NOT_FOUND`
 */
export async function showDownload(context: Context, viewer: Viewer, id: string): Promise<DownloadJob> {
  const row = await findPermittedJob(context, viewer, id, 'read');
  if (!row || row.type !== 'download') throw notFound('download job');
  const quality = storedDownloadArgs.read(context.db, row.args, row.id)?.quality ?? 'high';
  const track = row.status === 'completed' ? await findTrack(context.db, requireTrackId(row)) : undefined;
  const made = track?.audio ? await findRendition(context.db, track.audio.id, quality) : undefined;
  return {
    id: row.id,
    track_id: requireTrackId(row),
    status: row.status,
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    quality,
    output_path: made ? `/files/${made.file_path}` : null,
    file_size: made?.file_size ?? null,
    error: row.error,
  };
}
