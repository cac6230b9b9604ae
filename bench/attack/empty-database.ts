import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pause } from '@stem-studio/server/platform/clock';
import { type Arena, StartRefused } from './arena.ts';

const files = ['received', 'high.mp3', 'peaks.bin'].map(
  (name) => `downloads/00000000-0000-4000-8000-000000000001/${name}`,
);
const stems = ['vocals', 'drums', 'bass', 'other'].map(
  (name) => `stems/00000000-0000-4000-8000-000000000002/${name}.wav`,
);

/** Starts a service with an empty database on an uploads folder that belongs to another database. */
export async function emptyDatabase(arena: Arena): Promise<string> {
  const context = await arena.open();
  const { uploadsDir } = context.config;
  const dayAgo = new Date(Date.now() - 86_400_000);
  for (const path of [...files, ...stems]) {
    const absolute = join(uploadsDir, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, 'a song');
    await utimes(absolute, dayAgo, dayAgo);
    await utimes(dirname(absolute), dayAgo, dayAgo);
  }
  const count = async () => {
    const entries = await readdir(uploadsDir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && /\.(wav|mp3|bin)$|^received$/.test(entry.name)).length;
  };
  const before = await count();
  let how = 'the service started';
  try {
    await arena.start(context);
    await pause(3000);
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    how = `the start was refused (${error.message.slice(0, 160)})`;
  }
  return `files ${before} → ${await count()}; ${how}`;
}
