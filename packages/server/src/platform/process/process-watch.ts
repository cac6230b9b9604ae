// Runs as a thread of a limited process. It ends that process when its resident memory passes the limit, and when the
// service that started it is gone, however busy the process is.
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
