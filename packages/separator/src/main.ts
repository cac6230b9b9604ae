/**
 * The local engine: a child process that reads a request from its standard input and writes the three messages, and
 * nothing else, to its standard output.
 *
 * It ends by itself after a result (exit 0) or an error (exit 1), and at once, leaving no file, when its input
 * ends (the parent died) or a signal asks it to. Where a request says so it stays after the result, with its threads
 * and networks, and reads the next one, until its input ends or another process of the machine wants the turn of the
 * networks. One that has networks loaded ends by SIGKILL: a network that runs cannot be interrupted, and exiting around
 * it would wait for it and then abort.
 *
 * @spec Local separation process
 */
import { keepBackends } from './models.ts';
import { createMessageWriter, parseRequest, readLines } from './protocol.ts';
import { separate } from './separate.ts';
import { SeparationError, toErrorFields } from './separation-error.ts';

const write = createMessageWriter();
const ending = new AbortController();
const backends = keepBackends();

/** Aborting removes the unfinished files synchronously; then nothing is left to wait for. */
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

/** Separates one sound, and answers whether another request may follow. */
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
    // Whoever asks in the moment in which it leaves hears nothing, and asks another process.
    const wanted = new Promise<null>((resolve) => backends.onAsked(() => resolve(null)));
    line = await Promise.race([lines.next(), wanted]);
    backends.onAsked(null);
  }
  await backends.close();
  process.exit(0);
} catch (error) {
  fail(error);
}
