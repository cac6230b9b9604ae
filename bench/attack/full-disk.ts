import { spawnSync } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { health } from '@stem-studio/contract/endpoints/health';
import { deleteTrack, getTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '@stem-studio/server/platform/clock';
import { testWav } from '@stem-studio/server/testing/test-audio';
import type { Arena } from './arena.ts';

/** Fills a file system to its last byte. */
async function fill(folder: string): Promise<void> {
  const file = await open(join(folder, 'filler'), 'w');
  try {
    for (const size of [1 << 20, 4096, 1]) {
      const piece = Buffer.alloc(size, 1);
      for (;;) {
        const written = await file.write(piece).catch(() => null);
        if (written === null || written.bytesWritten < size) break;
      }
    }
  } finally {
    await file.close();
  }
}

/** Fills the disk of the uploads (a small one in memory), then uploads and deletes. */
export async function fullDisk(arena: Arena): Promise<string> {
  const context = await arena.open();
  const disk = join(context.folder, 'disk');
  await mkdir(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status !== 0)
    return 'not possible here: mounting a small disk needs root';
  arena.defer(() => void spawnSync('umount', ['-l', disk]));
  const target = await arena.start(context, {
    UPLOADS_DIR: join(disk, 'uploads'),
    DISK_MARGIN_MB: '4',
    DISK_RESERVE_MB: '8',
  });
  const person = await target.register();
  const { body } = await person.upload('song.wav', await testWav({ seconds: 3 }));
  const params = { id: body?.data.track_id ?? '' };
  for (let tries = 0; tries < 400; tries++) {
    if ((await person.call(getTrack, { params })).body?.data.audio) break;
    await pause(50);
  }
  await fill(disk);
  const uploaded = await person.upload('other.wav', await testWav({ seconds: 4 }));
  // A rejected upload closes its connection, sometimes while the next request is sent on it: browsers then retry the
  // request.
  const first = await person.call(deleteTrack, { params });
  const deleted = first.status === 0 ? await person.call(deleteTrack, { params }) : first;
  const reply = await fetch(target.address + health.path, { headers: { connection: 'close' } });
  return `0 bytes free: upload ${uploaded.status}, delete ${deleted.status}, /health ${reply.status} ${(await reply.text()).slice(0, 160)}`;
}
