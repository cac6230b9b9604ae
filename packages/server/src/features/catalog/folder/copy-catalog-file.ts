import { failure } from '../../../platform/errors.ts';
import type { StagingFile } from '../../../platform/files/files.ts';
import { OutsideFolderError, openInside } from '../../../platform/files/open-inside.ts';
import type { ReceiveOptions } from '../catalog-provider.ts';

const chunkBytes = 1 << 20;

/** Returns the failure of a file that is no longer in the folder. */
export function fileGone() {
  return failure('catalog_error', 'the file is no longer in the catalog folder');
}

/**
 * Copies a file of the catalog folder into `out`.
 *
 * @param path below `root`; links that lead out of it are not followed
 * @throws ServiceError `catalog_error` where the path leads out of the folder
 */
export async function copyCatalogFile(
  root: string,
  path: string,
  out: StagingFile,
  { signal, onProgress }: ReceiveOptions,
): Promise<void> {
  const handle = await openInside(root, path).catch((error: unknown) => {
    throw error instanceof OutsideFolderError ? fileGone() : error;
  });
  try {
    let copied = 0;
    const { size } = await handle.stat();
    const chunks = handle.createReadStream({ autoClose: false, start: 0, highWaterMark: chunkBytes, signal });
    for await (const chunk of chunks) {
      await out.append(chunk as Buffer);
      copied += (chunk as Buffer).length;
      onProgress(size === 0 ? 1 : Math.min(1, copied / size));
    }
  } finally {
    await handle.close();
  }
}
