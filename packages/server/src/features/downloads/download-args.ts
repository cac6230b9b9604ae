import { uuid } from '@stem-studio/contract/ids';
import { downloadQuality } from '@stem-studio/contract/resources/download-job';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Where the sound of a download comes from. */
export const downloadSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('catalog'), catalog_id: z.string() }),
  /** The catalog has no sound: the download tool looks for it, or takes the candidate that the user chose. */
  z.object({ kind: z.literal('search'), catalog_id: z.string(), candidate_id: z.string().optional() }),
  /** The bytes are here already, under `downloads/<source_id>/received`. */
  z.object({ kind: z.literal('upload'), source_id: uuid, sha256: z.string(), file_name: z.string() }),
]);
/** Where the sound of a download comes from. */
export type DownloadSource = z.infer<typeof downloadSource>;

/** What a download job is asked. */
export const downloadArgs = z.object({ source: downloadSource, quality: downloadQuality });
/** What a download job is asked. */
export type DownloadArgs = z.infer<typeof downloadArgs>;
/** How they are stored in a job. */
export const storedDownloadArgs = storedJson('arguments of a job of the type download', downloadArgs);

/** The folder of everything about one audio source. */
export function sourceFolder(sourceId: string): string {
  return `downloads/${sourceId}`;
}

/** Under which key the same uploaded bytes are found again. */
export function uploadKey(sha256: string): string {
  return `upload:${sha256}`;
}

/** Under which key the same bytes of a catalog track are found again. */
export function catalogKey(catalogId: string, sha256: string): string {
  return `catalog:${catalogId}:${sha256}`;
}
