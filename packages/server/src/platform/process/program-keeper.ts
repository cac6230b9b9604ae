// Stands between us and a program of somebody else's: `node program-keeper.ts PROGRAM ARGUMENT…`. The program reads
// nothing, writes where we write, and its exit code is ours. It lives as long as our own standard input is open: should
// the service end it or die, however suddenly, the program and whatever it has started go. Descriptor 3 tells the
// program's process id, or the system's code where it cannot be run.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';

const tellDescriptor = 3;
const isWindows = process.platform === 'win32';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  // A group of its own, so that we outlive its end and nobody is left with a dead process to bury.
  detached: !isWindows,
});

function endAll(): void {
  try {
    if (isWindows) child.kill();
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of them are gone already.
  }
}

child.once('spawn', () => writeSync(tellDescriptor, String(child.pid)));
child.once('error', (error: NodeJS.ErrnoException) => {
  writeSync(tellDescriptor, error.code ?? 'unknown');
  process.exit(1);
});
child.once('exit', (code, signal) => {
  endAll();
  // As a shell says it.
  process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
});
process.stdin.once('close', endAll).resume();
