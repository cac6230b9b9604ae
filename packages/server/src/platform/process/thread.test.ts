import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureSentence } from '../queue/failure-sentence.ts';
import { runInThread } from './thread.ts';

const main = JSON.stringify(new URL('thread-main.ts', import.meta.url).href);
const moduleOf = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { serveThread } from ${main}; await serveThread(${body});`)}`,
  );

const never = new AbortController().signal;

test('a thread answers with its result and tells its progress', async () => {
  const told: unknown[] = [];
  const result = await runInThread<number>({
    module: moduleOf('(input, report) => { report(50); return input.a + 1; }'),
    input: { a: 1 },
    signal: never,
    onProgress: (progress) => told.push(progress),
  });
  assert.equal(result, 2);
  assert.deepEqual(told, [50]);
});

test('what a thread throws is told with its own words, and whether it may work next time', async () => {
  const failing = runInThread({
    module: moduleOf('() => { throw Object.assign(new Error("no sound"), { isRetryable: true }); }'),
    input: null,
    signal: never,
  });
  await assert.rejects(failing, { message: 'no sound', isRetryable: true });
});

test('what the system refuses to a thread keeps its code; a code of our own is not the system’s', async () => {
  const thrown = (fields: string) =>
    runInThread({
      module: moduleOf(`() => { throw Object.assign(new Error("no room"), ${fields}); }`),
      input: null,
      signal: never,
    });
  const full = await thrown('{ code: "ENOSPC", syscall: "write", errno: -28 }').catch(failureSentence);
  assert.equal(full, 'the disk is full: make room and try again');
  const missing = await thrown('{ code: "ENOENT", syscall: "open", errno: -2 }').catch(failureSentence);
  assert.match(missing as string, /something went wrong inside the service/);
  await assert.rejects(thrown('{ code: "too_long" }'), { name: 'ThreadError', message: 'no room' });
});

test('an abort ends a thread that computes for ever', async () => {
  const stop = new AbortController();
  const running = runInThread({
    module: moduleOf('(_input, report) => { report(1); for (;;); }'),
    input: null,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('cancelled')),
  });
  await assert.rejects(running, /cancelled/);
});

test('a thread that ends without a word is an error', async () => {
  const gone = runInThread({ module: new URL('data:text/javascript,0'), input: null, signal: never });
  await assert.rejects(gone, /ended with code 0/);
});
