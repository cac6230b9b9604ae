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

test('returns the result of a thread and reports its progress', async () => {
  const reported: unknown[] = [];
  const result = await runInThread<number>({
    module: moduleOf('(input, report) => { report(50); return input.a + 1; }'),
    input: { a: 1 },
    signal: never,
    onProgress: (progress) => reported.push(progress),
  });
  assert.equal(result, 2);
  assert.deepEqual(reported, [50]);
});

test('keeps message and retryability of an error from a thread', async () => {
  const failing = runInThread({
    module: moduleOf('() => { throw Object.assign(new Error("no sound"), { isRetryable: true }); }'),
    input: null,
    signal: never,
  });
  await assert.rejects(failing, { message: 'no sound', isRetryable: true });
});

test('keeps the code of a system error from a thread, but not other codes', async () => {
  const thrown = (fields: string) =>
    runInThread({
      module: moduleOf(`() => { throw Object.assign(new Error("no space"), ${fields}); }`),
      input: null,
      signal: never,
    });
  const full = await thrown('{ code: "ENOSPC", syscall: "write", errno: -28 }').catch(failureSentence);
  assert.equal(full, 'the disk is full: free some space and try again');
  const missing = await thrown('{ code: "ENOENT", syscall: "open", errno: -2 }').catch(failureSentence);
  assert.match(missing as string, /something went wrong inside the service/);
  await assert.rejects(thrown('{ code: "too_long" }'), { name: 'ThreadError', message: 'no space' });
});

test('terminates a busy thread on abort', async () => {
  const stop = new AbortController();
  const running = runInThread({
    module: moduleOf('(_input, report) => { report(1); for (;;); }'),
    input: null,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('cancelled')),
  });
  await assert.rejects(running, /cancelled/);
});

test('rejects when a thread ends without a result', async () => {
  const gone = runInThread({ module: new URL('data:text/javascript,0'), input: null, signal: never });
  await assert.rejects(gone, /ended with code 0/);
});
