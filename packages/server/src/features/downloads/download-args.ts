import { uuid } from '@stem-studio/contract/ids';
import { downloadQuality } from '@stem-studio/contract/resources/download-job';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Origin of the audio of a download. */
export const downloadSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('catalog'), catalog_id: z.string() }),
  /** The catalog has no audio: the download tool searches for it, or uses the candidate selected by the user. */
  z.object({ kind: z.literal('search'), catalog_id: z.string(), candidate_id: z.string().optional() }),
  /** The bytes are stored already, under `downloads/<source_id>/received`. */
  z.object({
    kind: z.literal('upload'),
    source_id: uuid,
    sha256: z.string(),
    file_name: z.string(),
    /** Whether the stems came with the song, so that it is not separated. */
    has_stems: z.boolean().optional(),
  }),
]);
/** Origin of the audio of a download. */
export type DownloadSource = z.infer<typeof downloadSource>;

/** Arguments of a download job. */
export const downloadArgs = z.object({ source: downloadSource, quality: downloadQuality });
/** Arguments of a download job. */
export type DownloadArgs = z.infer<typeof downloadArgs>;
/** Stored form of the arguments in a job. */
export const storedDownloadArgs = storedJson('arguments of a job of the type download', downloadArgs);

/** Returns the folder that holds all files of one audio source. */
export function sourceFolder(sourceId: string): string {
  return `downloads/${sourceId}`;
}

/** Returns the key under which identical uploaded bytes are found again. */
export function uploadKey(sha256: string): string {
  return `upload:${sha256}`;
}

/** Returns the key under which identical bytes of a catalog track are found again. */
export function catalogKey(catalogId: string, sha256: string): string {
  return `catalog:${catalogId}:${sha256}`;
}
