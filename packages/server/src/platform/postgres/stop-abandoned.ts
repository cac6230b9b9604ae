import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createLog } from '../log.ts';
import { DirectoryLockedError, lockDirectory } from '../process/directory-lock.ts';
import { postmasterPid, stopPostmaster } from './postmaster.ts';

// Started by the watchdog some time after a service has ended. Stops the database that was left running, unless another
// process uses the data directory. A deleted data directory counts as unused.
const [, , dataDir = '', folder = ''] = process.argv;
const log = createLog('info');

/** Returns whether a server listens on the socket or port in the pid file of the database. */
async function isListening(): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [, , , port = '', socketFolder = '', address = ''] = lines;
  if (port === '') return false;
  const target =
    socketFolder === ''
      ? { port: Number(port), host: address }
      : { path: join(socketFolder, `.s.PGSQL.${port}`) };
  return new Promise((resolve) => {
    const socket = connect(target);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stopAbandoned(): Promise<void> {
  const unlock = existsSync(dataDir)
    ? await lockDirectory(dataDir, 'stop-database')
    : () => Promise.resolve();
  const pid = await postmasterPid(folder);
  // The process id in a stale pid file may have been reused by another program.
  if (pid !== null && (await isListening())) {
    log.info({ pid, dataDir }, 'no service uses the database: stopping it');
    await stopPostmaster(pid, log);
  }
  await unlock();
}

await stopAbandoned().catch((error: unknown) => {
  if (!(error instanceof DirectoryLockedError)) log.error({ err: error }, 'the database was not stopped');
});
