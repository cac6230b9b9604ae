import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

let kept: { path: string; modifiedMs: number; text: string } | null = null;

/** The built page's HTML, read again when it was built again; null when it was never built. */
export async function readBuiltPage(distFolder: string): Promise<string | null> {
  const path = join(distFolder, 'index.html');
  try {
    const { mtimeMs } = await stat(path);
    if (kept?.path !== path || kept.modifiedMs !== mtimeMs) {
      kept = { path, modifiedMs: mtimeMs, text: await readFile(path, 'utf8') };
    }
    return kept.text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
