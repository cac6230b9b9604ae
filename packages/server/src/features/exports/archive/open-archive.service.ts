import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isSame } from '@stem-studio/contract/decks/is-same';
import { archiveBounds } from '@stem-studio/contract/limits';
import type { OpenedArchive } from '@stem-studio/contract/resources/opened-archive';
import { projectState } from '@stem-studio/contract/resources/project';
import type { ProjectArchive } from '@stem-studio/contract/resources/project-archive';
import type { Context } from '../../../platform/context.ts';
import { isDatabaseUnavailable } from '../../../platform/db/connection.ts';
import { holdSpace } from '../../../platform/disk/reserve-space.ts';
import { maxUploadBytes } from '../../../platform/http/receive-file.ts';
import { newId } from '../../../platform/ids.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { ensureUploaded, requireAudio, sourceFolder } from '../../downloads/index.ts';
import { adoptedFolder, adoptSeparation } from '../../processing/index.ts';
import { replayLog, restoreProject } from '../../projects/index.ts';
import { requireQuota } from '../../quotas/index.ts';
import { ensureTrack, requireQuotaForTrack } from '../../tracks/index.ts';
import { ArchiveReader, archiveRefused } from './archive-reader.ts';
import type { PrepareStemsRequest, PrepareStemsResult } from './prepare-stems.process.ts';

/** Largest size of a project archive in bytes. */
export function maxArchiveBytes(maxUploadMb: number): number {
  return archiveBounds.uploads * maxUploadBytes(maxUploadMb);
}

/** An archive that is opened for a user. */
export interface ArchiveRequest {
  /** Absolute path of the ZIP. */
  readonly path: string;
  readonly userId: number;
  /** Id of the audio source of the new track, whose folder may hold the ZIP. */
  readonly sourceId: string;
  readonly signal: AbortSignal;
  /** Receives the fraction that is done. */
  readonly onProgress?: (fraction: number) => void;
}

/** Files of an archive that were extracted and checked. */
interface PreparedFiles {
  readonly jobId: string;
  readonly peaks: readonly number[];
  readonly sizes: ReadonlyMap<string, number>;
  /** Size and SHA-256 of the song. */
  readonly original: { readonly bytes: number; readonly sha256: string };
}

/** Checks what the manifest states about itself and the archive. Throws `ARCHIVE_NOT_ACCEPTED`. */
function checkManifest(manifest: ProjectArchive, archive: ArchiveReader): void {
  const { stems, original, state, operations, position } = manifest;
  const types = stems.map(({ stem_type }) => stem_type);
  const twice = types.find((type, index) => types.indexOf(type) !== index);
  if (twice !== undefined) throw archiveRefused(`must contain each stem once (${twice} occurs twice)`);
  const missing = state.sources.find(({ source }) => !types.includes(source));
  if (missing) throw archiveRefused(`must contain the stem ${missing.source}, which the project plays`);
  if (position > operations.length)
    throw archiveRefused(
      `position must be 0 to ${operations.length}, the number of operations (got ${position})`,
    );
  const ids = new Set(operations.map(({ edit }) => edit.id));
  if (ids.size < operations.length) throw archiveRefused('each operation must have its own id');
  for (const { path, bytes } of [...stems, ...(original ? [original] : [])]) {
    const found = archive.bytesOf(path);
    if (found === null) throw archiveRefused(`must contain ${path}, which the manifest names`);
    if (found !== bytes)
      throw archiveRefused(`${path} must have ${bytes} bytes, as the manifest states (it has ${found})`);
  }
}

/** Applies the operations. Throws `ARCHIVE_NOT_ACCEPTED` if they do not lead to the state of the archive. */
async function replay({ state, operations, position }: ProjectArchive) {
  const replayed = await replayLog(state.sources, operations, position);
  const reached = projectState.parse(JSON.parse(JSON.stringify(replayed.state)));
  if (isSame(reached, state)) return replayed;
  throw archiveRefused('the operations must lead to the state in the manifest, and they lead to another one');
}

/** Extracts the audio, checks the stems in a process of their own, and moves everything to its folders. */
async function prepareFiles(
  context: Context,
  archive: ArchiveReader,
  { stems, original }: ProjectArchive,
  { sourceId, signal, onProgress = () => {} }: ArchiveRequest,
): Promise<PreparedFiles> {
  const { config, files } = context;
  const received = await files.createStagingFolder();
  const written = await files.createStagingFolder();
  try {
    const songPath = join(received.path, 'song');
    if (original) await archive.extract(original.path, songPath, signal);
    const prepared = stems.map((stem, index) => ({
      ...stem,
      name: stem.path,
      path: join(received.path, String(index)),
      outputPath: join(written.path, `${stem.stem_type}.wav`),
    }));
    for (const [index, { path }] of prepared.entries()) {
      await archive.extract(stems[index]?.path ?? '', path, signal);
      onProgress((index + 1) / (2 * stems.length));
    }
    const result = await runInProcess<PrepareStemsResult>({
      module: new URL('./prepare-stems.process.ts', import.meta.url),
      limits: decodingLimits('the stems', config.maxDurationSeconds),
      input: {
        stems: prepared,
        mixPath: original ? null : songPath,
        maxDurationSeconds: config.maxDurationSeconds,
      } satisfies PrepareStemsRequest,
      signal,
      onProgress: (fraction) => onProgress(0.5 + Number(fraction) / 2),
    });
    if ('refusal' in result) throw archiveRefused(result.refusal);
    await requireAudio(context, songPath, signal);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(songPath, { signal })) hash.update(chunk as Buffer);
    const jobId = newId();
    const sizes = new Map<string, number>();
    for (const { stem_type } of stems) {
      const name = `${stem_type}.wav`;
      sizes.set(name, (await written.publish(name, `${adoptedFolder(jobId)}/${name}`)).bytes);
    }
    const song = await received.publish('song', `${sourceFolder(sourceId)}/received`);
    return { jobId, peaks: result.peaks, sizes, original: { ...song, sha256: hash.digest('hex') } };
  } finally {
    await received.remove();
    await written.remove();
  }
}

/** Inserts the track, its separation, the project, and the download that prepares the song. */
function insertContent(
  context: Context,
  manifest: ProjectArchive,
  { userId, sourceId }: ArchiveRequest,
  { jobId, peaks, sizes, original }: PreparedFiles,
  replayed: Awaited<ReturnType<typeof replay>>,
): Promise<OpenedArchive> {
  const { track: song, separation, stems, operations, position, name } = manifest;
  return context.db.transaction().execute(async (tx) => {
    const ensured = await ensureTrack(context, tx, {
      userId,
      source: 'upload',
      fields: {
        catalog_id: null,
        catalog_url: null,
        title: song.title,
        artist: song.artist,
        album: song.album,
        album_art_url: null,
        genre: song.genre,
        year: song.year,
        comment: song.comment,
        isrc: song.isrc,
        explicit: false,
        duration: Math.round(song.duration_ms / 1000),
        duration_ms: song.duration_ms,
      },
    });
    const trackId = ensured.track.id;
    await requireQuotaForTrack(context, tx, ensured.track, {
      what: 'this archive',
      bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
      stemSets: 1,
    });
    await adoptSeparation(context, tx, {
      ...separation,
      jobId,
      trackId,
      userId,
      sizes,
      stems: stems.map(({ stem_type, duration_ms, sample_rate, channels }, index) => ({
        stemType: stem_type,
        fileName: `${stem_type}.wav`,
        durationMs: duration_ms,
        sampleRate: sample_rate,
        channels,
        peak: peaks[index] ?? 0,
      })),
    });
    const project = { trackId, jobId, name, operations, position, replayed };
    const project_id = await restoreProject(context, tx, project);
    const { sha256, bytes } = original;
    const file_name = manifest.original?.file_name ?? song.title;
    const source = { kind: 'upload', source_id: sourceId, sha256, file_name, has_stems: true } as const;
    const accepted = await ensureUploaded(context, tx, ensured, source, 'high', bytes);
    if (accepted.job_id === null) throw new Error(`the song of track ${trackId} has no job`);
    return { track_id: trackId, project_id, job_id: accepted.job_id };
  });
}

/**
 * Opens a project archive as a new track of a user, with its stems and the project. After an error nothing of it remains.
 *
 * @throws `ARCHIVE_NOT_ACCEPTED`, `AUDIO_NOT_ACCEPTED`, `QUOTA_EXCEEDED`, `UNAVAILABLE` without disk space
 * @spec Project archives
 */
export async function openArchive(context: Context, request: ArchiveRequest): Promise<OpenedArchive> {
  const { config, files } = context;
  const { path, userId, sourceId } = request;
  const limits = {
    fileBytes: maxUploadBytes(config.maxUploadMb),
    totalBytes: maxArchiveBytes(config.maxUploadMb),
  };
  const archive = await ArchiveReader.open(path, limits);
  let folders: string[] = [];
  try {
    const manifest = await archive.manifest();
    checkManifest(manifest, archive);
    const replayed = await replay(manifest);
    // Extracted stems and those that are kept exist at the same time.
    const space = { what: 'this archive', bytes: 2 * archive.bytes, storesFor: null };
    const held = await holdSpace(context, space, (tx) =>
      requireQuota(context, tx, userId, { what: 'this archive', bytes: archive.bytes, stemSets: 1 }),
    );
    try {
      folders = [sourceFolder(sourceId)];
      const prepared = await prepareFiles(context, archive, manifest, request);
      folders.push(adoptedFolder(prepared.jobId));
      request.signal.throwIfAborted();
      return await insertContent(context, manifest, request, prepared, replayed);
    } finally {
      await held.release();
    }
  } catch (error) {
    // After a connection that breaks during the commit the rows may exist. If they do not, the sweep moves the folders.
    if (!isDatabaseUnavailable(error)) for (const folder of folders) await files.removeFolder(folder);
    throw error;
  } finally {
    archive.close();
  }
}
