import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pause } from '@stem-studio/server/platform/clock';
import { postmasterPid } from '@stem-studio/server/platform/postgres/postmaster';
import { type Arena, environmentOf, StartRefused, untilAddress } from './arena.ts';

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** Starts two services with different host names on the same data directory, which has its own database. */
export async function twoServices(arena: Arena): Promise<string> {
  const canRename = spawnSync('unshare', ['-u', 'true']).status === 0;
  if (!canRename) return 'not possible here: unshare -u needs root';
  const context = await arena.open();
  // The database's user account needs access to the folder.
  spawnSync('chmod', ['755', context.folder]);
  const { DATABASE_URL: _theirs, ...environment } = environmentOf(context);
  arena.defer(async () => {
    const pid = await postmasterPid(`${context.config.dataDir}/postgres`);
    if (pid !== null) spawnSync('kill', ['-QUIT', String(pid)]);
    await pause(500);
    await rm(context.config.dataDir, { recursive: true, force: true });
  });
  const startAs = async (host: string) => {
    const child = arena.run(
      'unshare',
      ['-u', 'sh', '-c', 'hostname "$0"; exec "$1" "$2"', host, process.execPath, main],
      environment,
    );
    return { child, ...(await untilAddress(child)) };
  };
  const first = await startAs('container-one');
  try {
    await startAs('container-two');
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    return `the second was refused: ${error.message.slice(0, 200)}`;
  }
  const isFirstAlive = first.child.exitCode === null && first.child.signalCode === null;
  return `the second started${isFirstAlive ? ' beside the first, on the same database files' : ', and the first ended'}`;
}
