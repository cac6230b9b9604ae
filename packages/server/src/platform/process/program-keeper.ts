// Stands between us and a program of somebody else's: `node program-keeper.ts PROGRAM ARGUMENT…`. The program reads
// nothing, writes where we write, and its exit code is ours. It lives as long as our own standard input is open: should
// the service die, however suddenly, the program and whatever it has started go with it. A program that cannot be run
// is told as one word on descriptor 3.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

const wordsDescriptor = 3;

/** Ends this process and all that share its group, which is ours alone. */
function endAll(): void {
  if (process.platform === 'win32') child.kill();
  else process.kill(-process.pid, 'SIGKILL');
}

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error: NodeJS.ErrnoException) => {
  writeSync(wordsDescriptor, error.code ?? 'unknown');
  process.exit(1);
});
child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
process.stdin.once('close', endAll).resume();
