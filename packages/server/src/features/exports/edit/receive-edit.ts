import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { uuid } from '@stem-studio/contract/ids';
import { type EditManifest, editManifest } from '@stem-studio/contract/resources/edit-manifest';
import { type StemType, stemType, stemTypes } from '@stem-studio/contract/resources/stem';
import type { FastifyRequest } from 'fastify';
import { invalid, tooLarge } from '../../../platform/errors.ts';
import { unreadableBody } from '../../../platform/http/receive-file.ts';
import type { EditSource } from './edit-rendering.ts';

/** A received export: its stems are files of `folder`. */
export interface ReceivedEdit {
  readonly trackId: string;
  readonly manifest: EditManifest;
  readonly stems: readonly EditSource[];
}

/** Largest manifest in bytes: ten thousand operations. */
const manifestBytes = 4 * 2 ** 20;

/** Returns the stem type that a file name states: `vocals.wav`. Throws `VALIDATION_ERROR` for any other name. */
function stemOf(fileName: string): StemType {
  const name = (fileName.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '').toLowerCase();
  const { data } = stemType.safeParse(name);
  if (data) return data;
  throw invalid({ stems: [`must be named by their type: ${stemTypes.join(', ')} (got "${fileName}")`] });
}

async function receiveStem(part: MultipartFile, folder: string, maxUploadMb: number): Promise<EditSource> {
  const source = stemOf(part.filename);
  const path = join(folder, `${source}.received`);
  await pipeline(part.file, createWriteStream(path, { flags: 'wx' })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST')
        throw invalid({ stems: [`must name each type once (got ${source} twice)`] });
      throw unreadableBody(error);
    },
  );
  if (part.file.truncated) throw tooLarge(`a stem must not be larger than ${maxUploadMb} MB (${source} is)`);
  return { source, path };
}

/** Reads the manifest. Throws `VALIDATION_ERROR` with the rule and the value of each mistake. */
function parseManifest(text: string | undefined): EditManifest {
  if (text === undefined) throw invalid({ manifest: ['is required'] });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid({ manifest: ['must be JSON'] });
  }
  const { data, error } = editManifest.safeParse(value);
  if (data) return data;
  const details: Record<string, string[]> = {};
  for (const { path, message } of error.issues)
    (details[['manifest', ...path].join('.')] ??= []).push(message);
  throw invalid(details);
}

/**
 * Reads a multipart export into a folder: `track_id`, `manifest`, and a part `stems[]` for each stem.
 *
 * @throws 400 where the body cannot be read, 413 where a stem is too large, 422 for a field that is missing, unknown or
 *   not valid
 */
export async function receiveEdit(
  request: FastifyRequest,
  folder: string,
  maxUploadMb: number,
): Promise<ReceivedEdit> {
  if (!request.isMultipart()) throw invalid({ stems: ['must be sent as multipart/form-data'] });
  const fields = new Map<string, string>();
  const stems: EditSource[] = [];
  const limits = {
    files: stemTypes.length,
    fields: 2,
    parts: stemTypes.length + 2,
    fieldSize: manifestBytes,
  };
  for await (const part of partsOf(request, limits)) {
    if (part.type === 'file') {
      if (part.fieldname !== 'stems[]' && part.fieldname !== 'stems') {
        part.file.resume();
        throw invalid({ [part.fieldname]: ['is not a known field'] });
      }
      stems.push(await receiveStem(part, folder, maxUploadMb));
    } else if (part.fieldname === 'track_id' || part.fieldname === 'manifest') {
      if (part.valueTruncated)
        throw tooLarge(`the manifest must not be larger than ${manifestBytes / 2 ** 20} MB`);
      fields.set(part.fieldname, String(part.value));
    } else throw invalid({ [part.fieldname]: ['is not a known field'] });
  }
  const trackId = uuid.safeParse(fields.get('track_id'));
  if (!trackId.success)
    throw invalid({ track_id: [fields.has('track_id') ? 'must be a UUID' : 'is required'] });
  if (stems.length === 0) throw invalid({ 'stems[]': ['is required'] });
  return { trackId: trackId.data, manifest: parseManifest(fields.get('manifest')), stems };
}

/** Reads the parts. Errors of reading become a 400. */
async function* partsOf(
  request: FastifyRequest,
  limits: Readonly<Record<string, number>>,
): AsyncGenerator<Multipart> {
  try {
    yield* request.parts({ limits });
  } catch (error) {
    throw unreadableBody(error);
  }
}
