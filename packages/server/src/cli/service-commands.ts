import type { Command } from './command.ts';

/** Starts the service, whose modules are loaded only now: the help lists all commands without them. */
async function start(role: string): Promise<void> {
  const { runService } = await import('../run-service.ts');
  await runService(role);
}

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
    await start(given.has('no-work') ? 'serve' : '');
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
    await start('worker');
    return untilStopped();
  },
};
