import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs the stand-in for the download tool in `folder` and returns its path, for `DOWNLOAD_TOOL`.
 *
 * @param mode failure of the program; empty for none
 */
export async function installDownloadTool(folder: string, mode = ''): Promise<string> {
  const path = join(folder, `download-tool${mode && `-${mode}`}`);
  const script = fileURLToPath(new URL('./download-tool.ts', import.meta.url));
  const lines = [
    '#!/bin/sh',
    `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(script)} --mode=${mode} "$@"`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  return path;
}
