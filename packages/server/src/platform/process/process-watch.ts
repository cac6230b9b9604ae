// Runs as a thread of a limited process. Kills that process when its resident memory exceeds the limit or the service
// that started it has ended, even if the main thread is busy.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { ProcessStart } from './limited-process.ts';
import { memoryLimitMark } from './process-limits.ts';

const everyMs = 50;
const { memoryBytes, parentPid } = workerData as ProcessStart;

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > memoryBytes;
  if (isTooLarge) writeSync(2, `${memoryLimitMark}\n`);
  if (isTooLarge || process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, everyMs);
