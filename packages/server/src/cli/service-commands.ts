import { runService } from '../run-service.ts';
import type { Command } from './command.ts';

/** Never resolves: a signal stops the service gracefully, and the service exits by itself. */
function untilStopped(): Promise<number> {
  return new Promise<number>(() => undefined);
}

/** Runs the service. */
export const serve: Command = {
  name: 'serve',
  operands: [],
  summary: 'Run the service: answer requests and do jobs',
  options: { 'no-work': { type: 'boolean', help: 'Do no jobs: leave them to "studio worker"' } },
  async run(given) {
    await runService(given.has('no-work') ? 'serve' : '');
    return untilStopped();
  },
};

/** Runs a worker. */
export const worker: Command = {
  name: 'worker',
  operands: [],
  summary: 'Do jobs beside a running service',
  options: {},
  async run() {
    await runService('worker');
    return untilStopped();
  },
};
