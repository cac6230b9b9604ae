import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Puts a program into `folder` that is the stand-in for the download tool, failing in the way of `mode` where one is
 * given; answers its path, for `DOWNLOAD_TOOL`.
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
