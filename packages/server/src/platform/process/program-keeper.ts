// Wrapper for an external program: `node program-keeper.ts PROGRAM ARGUMENT…`. The program has no input, shares the
// wrapper's output, and its exit code becomes the wrapper's. The wrapper runs as long as its standard input is open: if
// the service closes it or dies, the program and its child processes are killed. Descriptor 3 receives the program's
// process id, or the system's error code if it cannot be run.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';

const reportDescriptor = 3;
const isWindows = process.platform === 'win32';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  // A separate process group, so that the wrapper survives the kill of the group and reaps the program.
  detached: !isWindows,
});

function endAll(): void {
  try {
    if (isWindows) child.kill();
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended already.
  }
}

child.once('spawn', () => writeSync(reportDescriptor, String(child.pid)));
child.once('error', (error: NodeJS.ErrnoException) => {
  writeSync(reportDescriptor, error.code ?? 'unknown');
  process.exit(1);
});
child.once('exit', (code, signal) => {
  endAll();
  // Exit code after a signal, as in a shell.
  process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
});
process.stdin.once('close', endAll).resume();
