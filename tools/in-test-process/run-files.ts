// `node run-files.ts FILE…` registers the tests of several small files, which then run one after another in this process.
// It saves the modules and child processes that each process would load and start again.
import path from 'node:path';
import { argv } from 'node:process';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginningOf } from '../runner/test-events.ts';

// A test that waits only for an unreferenced timer must not end the process of the files after it.
let runningTests = 0;
let keepAlive: NodeJS.Timeout | undefined;
beforeEach(() => {
  runningTests += 1;
  keepAlive ??= setInterval(() => undefined, 60_000);
});
afterEach(() => {
  runningTests -= 1;
  if (runningTests > 0) return;
  clearInterval(keepAlive);
  keepAlive = undefined;
});

for (const file of argv.slice(2)) {
  // The reader of the events assigns what follows to this file.
  void test(beginningOf(file), () => undefined);
  try {
    await import(pathToFileURL(path.resolve(file)).href);
  } catch (error) {
    // The tests of the other files run nevertheless.
    void test(`${file} cannot be loaded`, () => {
      throw error;
    });
  }
}
