import { join } from 'node:path';
import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { exportProject } from '@stem-studio/contract/endpoints/edit-export';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { holdSpace } from '../../../platform/disk/reserve-space.ts';
import { invalid, stateForbids } from '../../../platform/errors.ts';
import { holdFiles } from '../../../platform/files/hold-files.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { listStems } from '../../processing/index.ts';
import { showProject } from '../../projects/index.ts';
import { findOwnedTrack, getReadableTrack } from '../../tracks/index.ts';
import { downloadName } from '../download-name.ts';
import type { TemporaryFile } from '../stem-files.ts';
import { receiveEdit } from './receive-edit.ts';
import type { RenderEditRequest, RenderEditResult } from './render-edit.process.ts';

/** Disk space that an upload of unknown length reserves, in bytes. */
const unknownBytes = 2 ** 28;
/** Decoded stems and the result, as a factor of the upload: lossless ones need about as much, MP3s up to twenty times. */
const spaceFactor = 3;

/** A rendered export: a temporary file, and the name under which it is sent. */
export interface RenderedEdit extends TemporaryFile {
  readonly name: string;
}

/** Renders in a process of its own. Throws `VALIDATION_ERROR` for a stem that cannot be read. */
async function render(
  { config }: Context,
  request: Omit<RenderEditRequest, 'maxDurationSeconds'>,
  signal: AbortSignal,
): Promise<void> {
  const { maxDurationSeconds } = config;
  const result = await runInProcess<RenderEditResult>({
    module: new URL('./render-edit.process.ts', import.meta.url),
    limits: decodingLimits('the export', maxDurationSeconds),
    input: { ...request, maxDurationSeconds } satisfies RenderEditRequest,
    signal,
    onProgress() {},
  });
  if (!('refusal' in result)) return;
  const { source, message } = result.refusal;
  const name = source === 'stems' ? 'stems' : `stems.${source}`;
  throw invalid({ [name]: [message] }, `${source}: ${message}. Nothing was exported`);
}

/**
 * Receives stems and a manifest, and renders them into a temporary WAV file. Nothing remains after an error or when the
 * client disconnects.
 *
 * @throws `NOT_FOUND` for a track of somebody else, `VALIDATION_ERROR`, 400, 413, `UNAVAILABLE` without disk space
 * @spec Editor exports
 */
export async function renderReceivedEdit(
  context: Context,
  viewer: Viewer,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<RenderedEdit> {
  const { config, files } = context;
  const announced = Number(request.headers['content-length'] ?? unknownBytes);
  const what = { what: 'this export', bytes: spaceFactor * announced, storesFor: null };
  const held = await holdSpace(context, what);
  const staging = await files.createStagingFolder().catch(async (error: unknown) => {
    await held.release();
    throw error;
  });
  const remove = async () => {
    await staging.remove();
    await held.release();
  };
  try {
    const { trackId, manifest, stems } = await receiveEdit(request, staging.path, config.maxUploadMb);
    const track = await findOwnedTrack(context.db, viewer, trackId);
    signal.throwIfAborted();
    const { bit_depth: bitDepth, normalize } = manifest;
    const path = join(staging.path, 'edit.wav');
    const output = { path, format: 'wav', bitDepth, normalize } as const;
    await render(context, { stems, edit: { manifest }, folder: staging.path, output }, signal);
    const { artist, title } = track;
    return { path, remove, name: downloadName({ artist, title, part: 'edit', extension: 'wav' }) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Renders a readable project with its stored stems into a temporary file.
 *
 * @throws `NOT_FOUND`, `PROJECT_WITHOUT_STEMS`, `UNAVAILABLE` without disk space
 * @spec Editor exports
 */
export async function renderProject(
  context: Context,
  viewer: Viewer,
  id: string,
  { format, bit_depth: bitDepth, normalize, start_ms, end_ms }: HandlerInput<typeof exportProject>['query'],
  signal: AbortSignal,
): Promise<RenderedEdit> {
  const project = await showProject(context, viewer, id);
  const track = await getReadableTrack(context.db, viewer, project.track_id);
  const stored = await listStems(context.db, project.job_id);
  if (stored.length === 0)
    throw stateForbids(
      'PROJECT_WITHOUT_STEMS',
      'the stems of this project were deleted. Separate the track into the same stems again, then export it',
    );
  const held = await holdFiles(
    context,
    stored.map((stem) => stem.file_path),
  );
  const space = await holdSpace(context, {
    what: 'this export',
    bytes: 2 * Math.max(...stored.map((stem) => stem.file_size)),
    storesFor: null,
  }).catch(async (error: unknown) => {
    await held.release();
    throw error;
  });
  const staging = await context.files.createStagingFolder();
  const remove = async () => {
    await staging.remove();
    await held.release();
    await space.release();
  };
  try {
    const path = join(staging.path, `edit.${format}`);
    const stems = stored.map(({ stem_type, file_path }) => ({
      source: stem_type,
      path: held.files.absolute(file_path),
    }));
    const range = start_ms !== undefined && end_ms !== undefined ? { start_ms, end_ms } : null;
    const edit = { state: project.state, range };
    const output = { path, format, bitDepth, normalize };
    await render(context, { stems, edit, folder: staging.path, output }, signal);
    const { artist, title } = track;
    return { path, remove, name: downloadName({ artist, title, part: project.name, extension: format }) };
  } catch (error) {
    await remove();
    throw error;
  }
}
