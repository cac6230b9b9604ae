import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { holdSpace } from '../../../platform/disk/reserve-space.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { findOwnedTrack } from '../../tracks/index.ts';
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
    const path = join(staging.path, 'edit.wav');
    const result = await runInProcess<RenderEditResult>({
      module: new URL('./render-edit.process.ts', import.meta.url),
      limits: decodingLimits('the export', config.maxDurationSeconds),
      input: {
        stems,
        manifest,
        folder: staging.path,
        outputPath: path,
        maxDurationSeconds: config.maxDurationSeconds,
      } satisfies RenderEditRequest,
      signal,
      onProgress() {},
    });
    if ('refusal' in result) {
      const { source, message } = result.refusal;
      const name = source === 'stems' ? 'stems' : `stems.${source}`;
      throw invalid({ [name]: [message] }, `${source}: ${message}. Nothing was exported`);
    }
    const { artist, title } = track;
    return { path, remove, name: downloadName({ artist, title, part: 'edit', extension: 'wav' }) };
  } catch (error) {
    await remove();
    throw error;
  }
}
