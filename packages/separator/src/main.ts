/**
 * Local separation engine: a child process that reads requests from standard input and writes progress, result and
 * error messages, one line of JSON each, to standard output.
 *
 * The process exits after a result (0) or an error (1). It exits at once and leaves no file when its input ends (the
 * parent died) or on SIGTERM or SIGINT. A request with `stays` keeps it running, with its threads and networks, until
 * its input ends or another process of this machine waits for the lock. A process that has loaded networks ends itself
 * with SIGKILL, because a running network cannot be interrupted and a normal exit would wait for it.
 *
 * @spec Local separation process
 */
import { createBackendCache } from './models.ts';
import { createMessageWriter, parseRequest, readLines } from './protocol.ts';
import { separate } from './separate.ts';
import { SeparationError, toErrorFields } from './separation-error.ts';

const write = createMessageWriter();
const ending = new AbortController();
const backends = createBackendCache();

/** Exits at once; aborting removes unfinished files synchronously. */
function endNow(exitCode: number): void {
  ending.abort();
  if (backends.hasNetworks()) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
}

process.once('SIGTERM', () => endNow(143));
process.once('SIGINT', () => endNow(130));

function fail(error: unknown): void {
  write({ type: 'error', ...toErrorFields(error) });
  endNow(1);
}
process.once('uncaughtException', fail);

/** Performs one request and returns whether another one may follow. */
async function perform(line: string): Promise<boolean> {
  const request = parseRequest(line);
  const result = await separate(request, {
    backends,
    signal: ending.signal,
    report: (progress) => write({ type: 'progress', ...progress }),
  });
  const stays = request.stays === true && backends.rest();
  if (!stays) await backends.close();
  write({ type: 'progress', percent: 100 });
  write(result);
  return stays;
}

try {
  const lines = readLines(process.stdin, () => endNow(1));
  let line = await lines.next();
  if (line === null)
    throw new SeparationError('invalid_request', 'the input must be one line of JSON (it ended before)');
  while (line !== null && (await perform(line))) {
    // A request sent at the moment of exit gets no reply; its sender starts another process.
    const wanted = new Promise<null>((resolve) => backends.onRequested(() => resolve(null)));
    line = await Promise.race([lines.next(), wanted]);
    backends.onRequested(null);
  }
  await backends.close();
  process.exit(0);
} catch (error) {
  fail(error);
}
