import { lockDirectory } from '../platform/process/directory-lock.ts';

// Locks the given folder and prints `locked`, or the reason why not; then holds the lock until it is killed.
const [, , folder = ''] = process.argv;
try {
  await lockDirectory(folder);
  process.stdout.write('locked\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
