// Entry point of a limited process: `node limited-process-main.ts START`. Starts the monitor of its memory and its
// parent, then the module named in START.
import { argv } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { ProcessStart } from './limited-process.ts';

const start = JSON.parse(argv[2] ?? '') as ProcessStart;
process.on('disconnect', () => process.exit());
// A separate thread keeps running while a parser computes without a pause.
const watch = new Worker(new URL('./process-watch.ts', import.meta.url), { workerData: start });
watch.unref();
await import(start.module);
