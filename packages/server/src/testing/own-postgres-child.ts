import { createLog } from '../platform/log.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { throwAwaySettings } from '../platform/postgres/postmaster.ts';
import { lockDirectory } from '../platform/process/directory-lock.ts';

// The first steps of a service, as a process that a test can kill: locks the given folder, starts its database, and
// prints a line of JSON. The second argument is the time in seconds that the database outlives the process.
const [, , dataDir = '', lingerSeconds] = process.argv;
try {
  await lockDirectory(dataDir);
  const own = await startOwnPostgres({
    dataDir,
    log: createLog('silent'),
    settings: throwAwaySettings,
    ...(lingerSeconds !== undefined && { lingerSeconds: Number(lingerSeconds) }),
  });
  process.on('SIGTERM', () => void own.stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ pid: own.pid(), uid: process.getuid?.() })}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`,
  );
  process.exit(1);
}
