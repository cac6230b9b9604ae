import { lockDirectory } from '../platform/process/directory-lock.ts';

// Locks the folder it is given and says so, or why not, in a line; then holds the lock until it is ended.
const [, , folder = ''] = process.argv;
try {
  await lockDirectory(folder);
  process.stdout.write('locked\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
