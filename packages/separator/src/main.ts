/**
 * The local engine: a child process that reads one request from its standard input and writes the three
 * messages, and nothing else, to its standard output.
 *
 * It ends by itself after a result (exit 0) or an error (exit 1), and at once, leaving no file, when its input
 * ends (the parent died) or a signal asks it to. One that uses networks and has no result ends by SIGKILL: a network
 * that runs cannot be interrupted, and exiting around it would wait for it and then abort.
 *
 * @spec Local separation process messages
 */
import { createMessageWriter, readRequest } from './protocol.ts';
import { separate } from './separate.ts';
import { toErrorFields } from './separation-error.ts';

const write = createMessageWriter();
const ending = new AbortController();
let usesNetworks = false;

/** Aborting removes the unfinished files synchronously; then nothing is left to wait for. */
function endNow(exitCode: number): void {
  ending.abort();
  if (usesNetworks) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
}

process.once('SIGTERM', () => endNow(143));
process.once('SIGINT', () => endNow(130));

function fail(error: unknown): void {
  write({ type: 'error', ...toErrorFields(error) });
  endNow(1);
}
process.once('uncaughtException', fail);

try {
  const request = await readRequest(process.stdin, () => endNow(1));
  usesNetworks = request.weights !== undefined;
  const result = await separate(request, {
    signal: ending.signal,
    report: (progress) => write({ type: 'progress', ...progress }),
  });
  usesNetworks = false;
  write({ type: 'progress', percent: 100 });
  write(result);
  process.exit(0);
} catch (error) {
  fail(error);
}
