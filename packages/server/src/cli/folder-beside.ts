import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Runs `work` with a temporary folder beside an output file, which is removed afterwards. A result that is moved from
 * there to its path is never partial, even if the run is interrupted.
 */
export async function withFolderBeside<T>(outPath: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(outPath), '.studio-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
